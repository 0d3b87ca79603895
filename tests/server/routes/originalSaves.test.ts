import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createToken } from "../../../server/features/access/tokens";
import { describeOnDatabases } from "../../support/databases";
import { seedDataset, seedImage } from "../../support/factories";
import { OriginalClient } from "../../support/originalClient";
import { startServer, type TestServer, type TestUser } from "../../support/server";

type Ring = number[];

const square = (x: number, y: number, size = 40): Ring => [x, y, x + size, y, x + size, y + size, x, y + size];
const corners = (ring: Ring): [number, number][] =>
  Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);

/** An outline with points that the client drops: on a line, almost on one, and the first one repeated at the end. */
const WINDING = [10.13, 10.5, 20, 10.7, 30.25, 10.049, 30.4, 20, 30, 30.777, 20, 31.2, 10, 30, 10.4, 20.3, 10.13, 10.5];

describeOnDatabases("saves of the original client", (open) => {
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

  const page = async (user: TestUser, more: { alone?: boolean } = {}) => {
    const client = new OriginalClient(server, user, !more.alone);
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
      annotations: categories.flatMap((each: { annotations: [] }) => each.annotations),
    };
  };
  const annotation = async (id: number) => (await bob.get(`annotation/${id}`)).body;
  const reshape = (id: number, ring: Ring, user = bob) => user.put(`annotation/${id}`, { rings: [[ring]] });

  const shapes = async () => {
    const rle = { size: [480, 640], counts: [100, 30, 450, 30, 450, 31, 449, 30, 480 * 640 - 1570] };
    const star = Array.from({ length: 90 }, (_, i) => {
      const [angle, radius] = [(i * Math.PI) / 45, 60 + (i % 3) * 0.8 + (i % 10 === 0 ? 12 : 0)];
      return [200 + radius * Math.cos(angle), 200 + radius * Math.sin(angle)];
    }).flat();
    await make({ segmentation: [WINDING] });
    await make({ segmentation: [star, square(300, 100), [5, 5, 5.3, 5.2, 5.1, 5.4]] });
    await make({ segmentation: rle, iscrowd: true });
    await make({ rings: [[square(100, 300, 100), [120, 320, 120, 360, 160, 360, 160, 320]]] });
    await make({ bbox: [1.5, 2.25, 30, 40] });
    await make({
      keypoints: [5.4, 5.6, 2, 7, 8.5, 0],
      metadata: { name: "x", ratio: 1.5, list: [1, 2], none: null, "12": "3" },
    });
    await make({ segmentation: [WINDING], keypoints: [0, 0, 0, 7, 8, 1, 9.7, 9, 2] });
    await make({});
  };

  test("saving an unchanged page changes nothing, however often", async () => {
    await shapes();
    const before = await scene();
    const client = await page(ann);
    for (let i = 0; i < 3; i++) await client.save();
    await client.leave();
    expect(await scene()).toEqual(before);
    expect(client.deletions).toEqual([]);
  });

  test("changes of other users stay when a page without changes is left", async () => {
    await shapes();
    const [first, second, ...rest] = (await scene()).annotations;
    const client = await page(ann);
    await reshape(first.id, square(400, 300));
    await bob.put(`annotation/${second.id}`, { color: "#123456", metadata: { name: "bob's", ratio: 2.5 } });
    await bob.delete(`annotation/${rest[0].id}`);
    await make({ segmentation: [square(500, 50)] });
    const points = rest[3];
    await bob.put(`annotation/${points.id}`, { keypoints: [50, 60, 1, 70, 80, 2] });
    const before = await scene();
    await client.save();
    await client.leave();
    expect(await scene()).toEqual(before);
  });

  test("a drawn annotation is stored, once, and can be changed and deleted again", async () => {
    const client = await page(ann);
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await client.draw(category, corners(square(20 + 60 * i, 20))));
    await client.save();
    client.get(ids[0]!).move(10, 5);
    await client.save();
    expect(await client.delete(ids[1]!)).toBe(200);
    await client.leave();
    const { annotations } = await scene();
    expect(annotations).toHaveLength(4);
    expect(await annotation(ids[0]!)).toMatchObject({ area: 1600, bbox: [30, 25, 40, 40], deleted: false });
    expect(client.deletions).toEqual([200]);
  });

  test("an annotation without a shape is deleted by the page that created it, and by no other", async () => {
    const [mine, theirs] = [await page(ann), await page(bob)];
    const id = await mine.draw(category);
    await theirs.open(imageId);
    await theirs.leave();
    expect((await annotation(id)).deleted).toBe(false);
    await mine.leave();
    expect((await annotation(id)).deleted).toBe(true);
  });

  test("a new annotation that another user draws into first is not deleted as empty", async () => {
    const client = await page(ann);
    const id = await client.draw(category);
    await reshape(id, square(30, 30));
    await client.leave();
    expect(client.deletions).toEqual([409]);
    expect(await annotation(id)).toMatchObject({ deleted: false, area: 1600 });
  });

  test("two pages that change the same outline keep both: the later one beside the earlier one", async () => {
    const id = await make({ segmentation: [square(20, 20)], metadata: { name: "dog" } });
    const [first, second] = [await page(ann), await page(bob)];
    first.get(id).move(100, 0);
    await first.save();
    second.get(id).move(0, 100);
    await second.save();
    for (const client of [first, second, second, first]) await client.save();
    const both = (await scene()).annotations;
    expect(both.map(({ bbox }: { bbox: Ring }) => bbox)).toEqual([
      [120, 20, 40, 40],
      [20, 120, 40, 40],
    ]);
    expect(both[1]).toMatchObject({ creator: "bob", metadata: { name: "dog" } });
    // The page continues with its own version.
    second.get(id).move(50, 0);
    await second.save();
    expect((await scene()).annotations.map(({ bbox }: { bbox: Ring }) => bbox)).toEqual([
      [120, 20, 40, 40],
      [70, 120, 40, 40],
    ]);
    expect(await second.delete(id)).toBe(200);
    await second.leave();
    await first.leave();
    expect((await scene()).annotations).toMatchObject([{ id, bbox: [120, 20, 40, 40] }]);
  });

  test("an outline changed while another user deletes it is restored as a separate annotation", async () => {
    const id = await make({ segmentation: [square(20, 20)] });
    const client = await page(ann);
    await bob.delete(`annotation/${id}`);
    client.get(id).move(10, 10);
    await client.save();
    await client.leave();
    expect((await scene()).annotations).toMatchObject([{ bbox: [30, 30, 40, 40], creator: "ann" }]);
    expect((await annotation(id)).deleted).toBe(true);
  });

  test("an annotation that another user changed since is not deleted, until it is loaded again", async () => {
    const id = await make({ segmentation: [square(20, 20)] });
    const client = await page(ann);
    await reshape(id, square(200, 200));
    expect(await client.delete(id)).toBe(409);
    await client.leave();
    expect(await annotation(id)).toMatchObject({ deleted: false, bbox: [200, 200, 40, 40] });
    await client.open(imageId);
    expect(await client.delete(id)).toBe(200);
  });

  test("fields are applied one by one: another user's change of another field stays", async () => {
    const id = await make({
      segmentation: [square(20, 20)],
      metadata: { a: 1, b: 1.5 },
      keypoints: [1, 2, 2, 3, 4, 2],
    });
    const client = await page(ann);
    await bob.put(`annotation/${id}`, {
      rings: [[square(200, 200)]],
      metadata: { a: 2, b: 1.5 },
      keypoints: [9, 9, 1, 3, 4, 2],
    });
    Object.assign(client.get(id).annotation, { color: "#abcdef", metadata: { a: 1, b: 1.5, c: "new" } });
    client.get(id).keypoints[1] = [30, 40, 1, 2];
    await client.save();
    await client.save();
    expect((await scene()).annotations).toMatchObject([{ id }]);
    expect(await annotation(id)).toMatchObject({
      bbox: [200, 200, 40, 40],
      color: "#abcdef",
      metadata: { a: 2, b: 1.5, c: "new" },
      keypoints: [9, 9, 1, 30, 40, 1],
    });
  });

  test("metadata that both changed stays the other user's, and the page's goes to the history", async () => {
    const id = await make({ segmentation: [square(20, 20)], metadata: { a: 1 } });
    const { uuid } = await annotation(id);
    const client = await page(ann);
    await bob.put(`annotation/${id}`, { metadata: { a: 2 } });
    client.get(id).annotation.metadata = { a: 3 };
    for (let i = 0; i < 3; i++) await client.save();
    expect((await annotation(id)).metadata).toEqual({ a: 2 });
    const { changes } = (await bob.get(`annotator/edits/${imageId}?since=1`)).body;
    const ofAnnotation = changes.filter(({ subject_id }: { subject_id: string }) => subject_id === uuid);
    expect(ofAnnotation.map(({ fields }: { fields: object }) => fields).slice(1)).toEqual([
      { metadata: { a: 2 } },
      { metadata: { a: 3 } },
      { metadata: { a: 2 } },
    ]);
  });

  test("two pages of one login are told apart, even if they do not identify themselves", async () => {
    for (const alone of [false, true]) {
      const id = await make({ segmentation: [square(20, 20)] });
      const other = await make({ segmentation: [square(20, 200)] });
      const old = await page(ann, { alone });
      await reshape(other, square(20, 300));
      await reshape(id, square(200, 20));
      const fresh = await page(ann, { alone });
      old.get(id).move(0, 50);
      await old.save();
      expect((await annotation(id)).bbox).toEqual([200, 20, 40, 40]);
      fresh.get(id).move(0, 100);
      await fresh.save();
      expect((await annotation(id)).bbox).toEqual([200, 120, 40, 40]);
      expect((await annotation(other)).bbox).toEqual([20, 300, 40, 40]);
      const kept = (await scene()).annotations.filter(({ creator }: { creator: string }) => creator === "ann");
      expect(kept).toMatchObject([{ bbox: [20, 70, 40, 40] }]);
      for (const each of (await scene()).annotations) await bob.delete(`annotation/${each.id}`);
    }
  });

  test("an image's metadata and ticks, and a category's name and colour, are compared with what was sent too", async () => {
    await server.db
      .updateTable("images")
      .set({ metadata: JSON.stringify({ a: 1.5 }) })
      .where("id", "=", imageId)
      .execute();
    const client = await page(ann);
    const edit = { uuid: randomUUID(), image_id: imageId, base: 1, subject: "image", action: "modify" };
    const sent = await bob.post("annotator/edits", {
      client: "tab-of-bob",
      edits: [
        { ...edit, before: { labels: [], metadata: { a: 1.5 } }, after: { labels: [category], metadata: { a: 2.5 } } },
      ],
    });
    expect(sent.body.answers).toMatchObject([{ status: "applied" }]);
    await ann.put(`category/${category}`, { color: "#010203", keypoint_labels: ["b", "a", "c"] });
    await client.leave();
    const image = await server.db.selectFrom("images").selectAll().where("id", "=", imageId).executeTakeFirstOrThrow();
    expect([image.labels, image.metadata]).toEqual([[category], { a: 2.5 }]);
    expect((await ann.get(`category/${category}`)).body).toMatchObject({
      color: "#010203",
      keypoint_labels: ["b", "a", "c"],
    });
  });

  test("a page without a session (Basic, a token) is known by its user or token", async () => {
    const id = await make({ segmentation: [square(20, 20)] });
    const { secret } = await createToken(server.db, ann.id, { name: "page" });
    const script = Object.assign(server.visitor(), { id: ann.id, username: "ann" });
    script.headers = { Authorization: `Bearer ${secret}` };
    const client = new OriginalClient(server, script, false);
    await client.open(imageId);
    await reshape(id, square(200, 20));
    await client.save();
    expect(await client.delete(id)).toBe(409);
    expect((await annotation(id)).bbox).toEqual([200, 20, 40, 40]);
  });
});
