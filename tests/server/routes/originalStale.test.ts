import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { cookieName } from "../../../server/features/access/identity";
import { startSession } from "../../../server/features/access/sessions";
import { pruneHistory } from "../../../server/features/edits/pruneHistory";
import { pruneScenes } from "../../../server/features/sentScenes/sentScenes";
import { describeOnDatabases } from "../../support/databases";
import { seedDataset, seedImage } from "../../support/factories";
import { OriginalClient } from "../../support/originalClient";
import { startServer, type TestServer, type TestUser } from "../../support/server";

type Ring = number[];

const square = (x: number, y: number, size = 40): Ring => [x, y, x + size, y, x + size, y + size, x, y + size];

describeOnDatabases("pages of the original client that are open for long", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let category: number;
  let imageId: number;
  const clients: OriginalClient[] = [];
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    bob = await server.user("bob");
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    category = (await ann.post("category/", { name: randomUUID(), keypoint_labels: ["a", "b"] })).body.id;
    const dataset = await seedDataset(server.db, { ownerId: ann.id, members: [bob.id], categories: [category] });
    imageId = await seedImage(server.db, dataset);
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });

  const page = async (user: TestUser) => {
    const client = new OriginalClient(server, user);
    clients.push(client);
    await client.connect();
    return client.open(imageId);
  };
  const make = async (body: object, user = bob): Promise<number> =>
    (await user.post("annotation/", { image_id: imageId, category_id: category, ...body })).body.id;
  const scene = async () => {
    const { image, categories } = (await bob.get(`annotator/data/${imageId}?shape=rings`)).body;
    return {
      revision: image.revision,
      annotations: categories.flatMap((each: { annotations: [] }) => each.annotations) as { id: number; bbox: Ring }[],
    };
  };
  const places = async () => (await scene()).annotations.map(({ bbox }) => String(bbox.slice(0, 2))).sort();
  const reshape = (id: number, ring: Ring, user = bob) => user.put(`annotation/${id}`, { rings: [[ring]] });
  const age = (days: number) =>
    sql`update edit_history set created_at = now() - make_interval(days => ${days}::int) where image_id = ${imageId}`.execute(
      server.db,
    );
  const ageScenes = () =>
    sql`update sent_scenes set used_at = now() - interval '15 days' where image_id = ${imageId}`.execute(server.db);

  test("after a conflict, a page loaded again deletes the annotation that its user chose", async () => {
    const id = await make({ segmentation: [square(20, 20)] });
    const first = await page(ann);
    await reshape(id, square(200, 200));
    first.get(id).move(10, 5);
    await first.leave();
    expect(await places()).toEqual(["200,200", "30,25"]);
    const again = await page(ann);
    expect(await again.delete(id)).toBe(200);
    expect(await places()).toEqual(["30,25"]);
  });

  test("deleting an outline that became a copy keeps other users' changes, and works if the original is gone", async () => {
    const id = await make({ segmentation: [square(20, 20)] });
    const client = await page(ann);
    await reshape(id, square(200, 200));
    client.get(id).move(10, 5);
    await client.save();
    const [copy] = (await scene()).annotations.filter((each) => each.id !== id);
    expect(copy?.bbox.slice(0, 2)).toEqual([30, 25]);
    await reshape(copy?.id ?? 0, square(300, 300));
    expect(await client.delete(id)).toBe(409);
    expect(await places()).toEqual(["200,200", "300,300"]);

    const other = await make({ segmentation: [square(20, 20)] });
    await client.open(imageId);
    await bob.delete(`annotation/${other}`);
    client.get(other).move(10, 5);
    await client.save();
    expect(await places()).toEqual(["200,200", "30,25", "300,300"]);
    expect(await client.delete(other)).toBe(200);
    expect(await places()).toEqual(["200,200", "300,300"]);
  });

  /** Waits until the server knows that a user's pages have the image open. */
  const pagesOpen = (count: number) =>
    expect.poll(() => server.sockets.io.of("/").adapter.rooms.get(`image ${imageId}`)?.size ?? 0).toBe(count);

  test("of two open pages that show different versions, neither deletes what the other shows", async () => {
    const id = await make({ segmentation: [square(20, 20)] });
    const first = await page(ann);
    await reshape(id, square(200, 200));
    first.get(id).move(10, 5);
    await first.save();
    const second = await page(ann);
    await pagesOpen(2);
    // On the first page this is the copy, on the second what bob made of it.
    expect(await first.delete(id)).toBe(409);
    expect(await second.delete(id)).toBe(409);
    expect(await places()).toEqual(["200,200", "30,25"]);
    const other = await second.draw(category, [
      [400, 20],
      [440, 20],
      [440, 60],
    ]);
    await second.save();
    expect(await second.delete(other)).toBe(200);
    first.close();
    await pagesOpen(1);
    await second.open(imageId);
    expect(await second.delete(id)).toBe(200);
    expect(await places()).toEqual(["30,25"]);
  });

  test("leaving a page does not delete a drawing of another user as empty, although a second page shows it", async () => {
    const first = await page(ann);
    const id = await first.draw(category);
    await reshape(id, square(30, 30));
    const second = await page(ann);
    await pagesOpen(2);
    await first.leave();
    expect(first.deletions).toEqual([409]);
    expect(await places()).toEqual(["30,30"]);
    await second.open(imageId);
    expect(await second.delete(id)).toBe(200);
  });

  test("a page that was sent to another session deletes nothing", async () => {
    const id = await make({ segmentation: [square(20, 20)] });
    const client = await page(ann);
    ann.cookies.set(cookieName(server.env), await startSession(server.db, ann.id));
    expect(await client.delete(id)).toBe(409);
    expect(await places()).toEqual(["20,20"]);
    expect((await ann.delete(`annotation/${id}`)).status).toBe(200);
  });

  test("an annotation that loses its last keypoint has none, and its outline stays", async () => {
    const id = await make({ segmentation: [square(20, 20)], keypoints: [5, 5, 2, 9, 9, 2] });
    const client = await page(ann);
    client.get(id).keypoints.length = 0;
    await client.save();
    await client.leave();
    expect((await bob.get(`annotation/${id}`)).body).toMatchObject({
      keypoints: [0, 0, 0, 0, 0, 0],
      segmentation: [square(20, 20)],
    });
  });

  test("a page whose scene was forgotten reverts no change of others, and its own drawings are stored once", async () => {
    const [first, second, third] = [
      await make({ segmentation: [square(20, 20)] }),
      await make({ segmentation: [square(100, 20)], keypoints: [5, 5, 2, 9, 9, 2], metadata: { name: "old" } }),
      await make({ segmentation: [square(180, 20)] }),
    ];
    const looking = await page(ann);
    await sql`delete from sent_scenes`.execute(server.db);
    await bob.put(`annotation/${second}`, { keypoints: [50, 60, 1, 70, 80, 2], metadata: { name: "new" } });
    await bob.put(`annotation/${third}`, { color: "#123456" });
    const before = await scene();
    await looking.save();
    await looking.leave();
    const { annotations } = await scene();
    for (const each of before.annotations)
      expect(annotations).toContainEqual({ ...each, revision: expect.any(Number) });

    const drawing = await page(ann);
    await sql`delete from sent_scenes`.execute(server.db);
    await reshape(first, square(20, 300));
    drawing.get(first).move(5, 5);
    for (let i = 0; i < 3; i++) await drawing.save();
    expect((await places()).filter((place) => ["20,300", "25,25"].includes(place))).toEqual(["20,300", "25,25"]);
  });

  test("a scene that a browser shows again from its cache is remembered, or sent anew", async () => {
    await make({ segmentation: [square(20, 20)] });
    const ask = (tag = "") => ann.get(`annotator/data/${imageId}`, { headers: { "If-None-Match": tag } });
    const first = await ask();
    const tag = first.headers.get("etag") ?? "";
    await ageScenes();
    expect((await ask(tag)).status).toBe(304);
    await pruneScenes(server.db);
    expect((await ask(tag)).status).toBe(304);
    await ageScenes();
    await pruneScenes(server.db);
    const anew = await ask(tag);
    expect(anew.status).toBe(200);
    expect(anew.body.dataset.scene).not.toBe(first.body.dataset.scene);
  });

  test("a second page gets a scene of its own, although its browser has the first one's in its cache", async () => {
    const id = await make({ segmentation: [square(20, 20)] });
    const ask = (tag = "") => ann.get(`annotator/data/${imageId}`, { headers: { "If-None-Match": tag } });
    const tag = (await ask()).headers.get("etag") ?? "";
    const first = await page(ann);
    await pagesOpen(1);
    const second = new OriginalClient(server, ann);
    const { status, body } = await ask(tag);
    expect([status, body.dataset.scene === first.dataset.scene]).toEqual([200, false]);
    await second.open(imageId);
    first.get(id).move(30, 0);
    await first.save();
    await second.leave();
    expect(await places()).toEqual(["50,20"]);
  });

  test("viewing an image reverts nothing, although older history was pruned", async () => {
    const id = await make({ segmentation: [square(20, 20)] });
    await bob.put(`annotation/${id}`, { color: "#123456" });
    await age(400);
    expect(await pruneHistory(server.db, 365)).toBe(1);
    const client = await page(ann);
    await reshape(id, square(200, 200));
    const before = await scene();
    await client.leave();
    expect(await scene()).toEqual(before);
  });

  test("history that a page's saves are compared with is not pruned while it is open", async () => {
    const id = await make({ segmentation: [square(20, 20)] });
    const client = await page(ann);
    await reshape(id, square(200, 200));
    await age(400);
    await pruneHistory(server.db, 365);
    const before = await scene();
    await client.leave();
    expect(await scene()).toEqual(before);
  });
});
