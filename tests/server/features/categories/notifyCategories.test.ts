import { randomUUID } from "node:crypto";
import type { Socket } from "socket.io-client";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { notifyCategories } from "../../../../server/features/categories/notifyCategories";
import type { CategoriesEvent } from "../../../../shared/events";
import { importFile, runQueuedTask, seedImages } from "../../../support/coco";
import { describeOnDatabases } from "../../../support/databases";
import { eventually } from "../../../support/eventually";
import { seedCategory, seedDataset, seedImage } from "../../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../../support/server";
import { cookieOfClient, openSocket, waitForConnection } from "../../../support/sockets";

type Answer = Awaited<ReturnType<TestUser["get"]>>;

describeOnDatabases("changes of categories", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let dataset: number;
  let image: number;
  let category: number;
  let socket: Socket;
  const events: CategoriesEvent[] = [];
  const expected: CategoriesEvent[] = [];

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

  /**
   * Makes a change that notifies once, or never with `null`. Events do not arrive in order, so one too many is noticed
   * with the next change.
   */
  async function expectEvent(change: () => Promise<unknown>, event: Partial<CategoriesEvent> | null = {}) {
    const answer = (await change()) as Answer | undefined;
    if (answer) expect(answer.status, answer.text).toBe(200);
    if (event) expected.push({ dataset_id: dataset, uuid: null, ...event });
    await eventually(() => expect(events).toEqual(expected));
  }
  afterEach(() => expectEvent(async () => server.services.live.notifyCategories([dataset], "last"), { uuid: "last" }));

  test("a renamed, deleted or restored category is notified, and one that stays as it is is not", async () => {
    await expectEvent(() => ann.put(`category/${category}`, { name: "lorry" }));
    await expectEvent(() => ann.put(`category/${category}`, { name: "lorry" }), null);
    const put = { supercategory: "vehicle", client: "annas-tab" };
    await expectEvent(() => ann.put(`category/${category}`, put), { uuid: "annas-tab" });
    await expectEvent(() => ann.delete(`category/${category}`));
    await expectEvent(() => ann.post(`undo/?id=${category}&instance=category`));
  });

  test("categories that are added to the dataset, or removed from it, are notified, and others are not", async () => {
    await expectEvent(() => ann.post("category/", { name: "boat", dataset }));
    await expectEvent(() => ann.post("category/", { name: "tram" }), null);
    await expectEvent(() => ann.post(`dataset/${dataset}`, { add_categories: ["tram"] }));
    await expectEvent(() => ann.post(`dataset/${dataset}`, { remove_categories: ["tram"] }));
    await expectEvent(() => ann.post(`dataset/${dataset}`, { set_default_metadata: { a: 1 } }), null);
    const tick = (add: number[]) => () => ann.post(`dataset/${dataset}/images/label`, { ids: [image], add });
    const plane = await seedCategory(server.db, ann.id, "plane");
    await expectEvent(tick([plane]));
    await expectEvent(tick([plane]), null);
  });

  test("an edit of a category is notified with the client that made it", async () => {
    const { body } = await ann.get(`category/${category}`);
    const edit = {
      ...{ uuid: randomUUID(), subject: "category", target: category, image_id: image, action: "modify" },
      ...{ base: body.revision, before: { color: body.color }, after: { color: "#123456" } },
    };
    const save = () => ann.post("annotator/edits", { client: "annas-tab", edits: [edit] });
    await expectEvent(save, { uuid: "annas-tab" });
    await expectEvent(save, null);
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
    await expectEvent(() => load("balloon"));
    const task = async (call: Promise<{ body: { id?: number; task?: { id: number } } }>) => {
      const { body } = await call;
      await runQueuedTask(server, body.task?.id ?? body.id ?? 0);
    };
    await expectEvent(() => task(ann.delete(`dataset/${dataset}/import/${id}`)));
    await expectEvent(() => task(ann.post(`undo/?id=${id}&instance=import`)));
    await expectEvent(() => load("lorry"), null);
  });

  test("a database that is away afterwards does not make the stored change fail", async () => {
    const away = await open();
    await away.close();
    await expectEvent(() => notifyCategories({ ...server.services, db: away.db }, [category]), null);
  });

  test("a category of several datasets is notified in each, once, and only to those who have an image open", async () => {
    const other = await seedDataset(server.db, { ownerId: ann.id, categories: [category] });
    const carl = openSocket(server.url, cookieOfClient(ann));
    await waitForConnection(carl);
    const heard: CategoriesEvent[] = [];
    carl.on("categories", (event: CategoriesEvent) => heard.push(event));
    await carl.emitWithAck("annotating", { image_id: await seedImage(server.db, other), active: true });
    await expectEvent(() => ann.put(`category/${category}`, { name: "van" }));
    await expect.poll(() => heard).toEqual([{ dataset_id: other, uuid: null }]);
    carl.close();
  });
});
