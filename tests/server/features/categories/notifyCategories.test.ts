import { randomUUID } from "node:crypto";
import type { Socket } from "socket.io-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CategoriesEvent } from "../../../../shared/events";
import { importFile, runQueuedTask, seedImages } from "../../../support/coco";
import { describeOnDatabases } from "../../../support/databases";
import { seedCategory, seedDataset, seedImage } from "../../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../../support/server";
import { cookieOfClient, openSocket, waitForConnection } from "../../../support/sockets";

describeOnDatabases("changes of categories", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let dataset: number;
  let image: number;
  let category: number;
  let socket: Socket;
  let events: CategoriesEvent[];

  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    bob = await server.user("bob");
    category = await seedCategory(server.db, ann.id, "car");
    dataset = await seedDataset(server.db, { ownerId: ann.id, members: [bob.id], categories: [category] });
    image = await seedImage(server.db, dataset);
    socket = openSocket(server.url, cookieOfClient(bob));
    await waitForConnection(socket);
    socket.on("categories", (event: CategoriesEvent) => events.push(event));
    await socket.emitWithAck("annotating", { image_id: image, active: true });
  });
  afterAll(async () => {
    socket.close();
    await server.close();
  });

  /** Returns the events of a change. A change of the role, sent last, shows that no other is still on its way. */
  async function eventsOf(change: () => Promise<unknown>): Promise<CategoriesEvent[]> {
    events = [];
    await change();
    const last = new Promise((resolve) => socket.once("role", resolve));
    server.services.live.notifyRole(bob.id, dataset);
    await last;
    return events;
  }
  const anEvent = (uuid: string | null = null) => [{ dataset_id: dataset, uuid }];

  test("a renamed, deleted or restored category is notified, and one that stays as it is is not", async () => {
    expect(await eventsOf(() => ann.put(`category/${category}`, { name: "lorry" }))).toEqual(anEvent());
    expect(await eventsOf(() => ann.put(`category/${category}`, { name: "lorry" }))).toEqual([]);
    expect(await eventsOf(() => ann.delete(`category/${category}`))).toEqual(anEvent());
    expect(await eventsOf(() => ann.post(`undo/?id=${category}&instance=category`))).toEqual(anEvent());
  });

  test("categories that are added to the dataset, or removed from it, are notified, and others are not", async () => {
    expect(await eventsOf(() => ann.post("category/", { name: "boat", dataset }))).toEqual(anEvent());
    expect(await eventsOf(() => ann.post("category/", { name: "tram" }))).toEqual([]);
    expect(await eventsOf(() => ann.post(`dataset/${dataset}`, { add_categories: ["tram"] }))).toEqual(anEvent());
    expect(await eventsOf(() => ann.post(`dataset/${dataset}`, { remove_categories: ["tram"] }))).toEqual(anEvent());
    expect(await eventsOf(() => ann.post(`dataset/${dataset}`, { set_default_metadata: { a: 1 } }))).toEqual([]);
    const tick = (add: number[]) => () => ann.post(`dataset/${dataset}/images/label`, { ids: [image], add });
    const plane = await seedCategory(server.db, ann.id, "plane");
    expect(await eventsOf(tick([plane]))).toEqual(anEvent());
    expect(await eventsOf(tick([plane]))).toEqual([]);
  });

  test("an edit of a category is notified with the client that made it", async () => {
    const { body } = await ann.get(`category/${category}`);
    const edit = {
      ...{ uuid: randomUUID(), subject: "category", target: category, image_id: image, action: "modify" },
      ...{ base: body.revision, before: { color: body.color }, after: { color: "#123456" } },
    };
    const save = () => ann.post("annotator/edits", { client: "annas-tab", edits: [edit] });
    expect(await eventsOf(save)).toEqual(anEvent("annas-tab"));
    expect(await eventsOf(save)).toEqual([]);
  });

  test("an import with a new category is notified, and so are its undo and the undo of that", async () => {
    await seedImages(server, dataset, [{ file_name: "i.jpg", width: 10, height: 10 }]);
    const annotation = { id: 1, image_id: 1, category_id: 1, bbox: [1, 1, 5, 5], segmentation: [], area: 25 };
    const file = (name: string) => ({
      images: [{ id: 1, file_name: "i.jpg", width: 10, height: 10 }],
      categories: [{ id: 1, name }],
      annotations: [annotation],
    });
    let id = 0;
    const load = async (name: string) => {
      id = (await importFile(server, ann, dataset, file(name))).importId;
    };
    expect(await eventsOf(() => load("balloon"))).toEqual(anEvent());
    const task = async (call: Promise<{ body: { id?: number; task?: { id: number } } }>) => {
      const { body } = await call;
      await runQueuedTask(server, body.task?.id ?? body.id ?? 0);
    };
    expect(await eventsOf(() => task(ann.delete(`dataset/${dataset}/import/${id}`)))).toEqual(anEvent());
    expect(await eventsOf(() => task(ann.post(`undo/?id=${id}&instance=import`)))).toEqual(anEvent());
    expect(await eventsOf(() => load("lorry"))).toEqual([]);
  });

  test("a category of several datasets is notified in each, once, and only to those who have an image open", async () => {
    const other = await seedDataset(server.db, { ownerId: ann.id, categories: [category] });
    const carl = openSocket(server.url, cookieOfClient(ann));
    await waitForConnection(carl);
    const heard: CategoriesEvent[] = [];
    carl.on("categories", (event: CategoriesEvent) => heard.push(event));
    await carl.emitWithAck("annotating", { image_id: await seedImage(server.db, other), active: true });
    expect(await eventsOf(() => ann.put(`category/${category}`, { name: "van" }))).toEqual(anEvent());
    await expect.poll(() => heard).toEqual([{ dataset_id: other, uuid: null }]);
    carl.close();
  });
});
