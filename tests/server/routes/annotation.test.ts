import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { NO_KEYPOINTS } from "../../../shared/entities/keypoint";
import { toStored } from "../../../shared/rules/keypointDefinition";
import { describeOnDatabases } from "../../support/databases";
import { seedCategory, seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describeOnDatabases("the single calls of annotations", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let eve: TestUser;
  let mia: TestUser;
  let imageId: number;
  let categoryId: number;
  let datasetId: number;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    eve = await server.user("eve");
    mia = await server.user("mia");
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    categoryId = await seedCategory(server.db, ann.id);
    datasetId = await seedDataset(server.db, { ownerId: ann.id, members: [mia.id], categories: [categoryId] });
    imageId = await seedImage(server.db, datasetId);
  });

  const post = async (more: object = {}) => {
    const answer = await ann.post("annotation/", { image_id: imageId, category_id: categoryId, ...more });
    expect(answer.text, answer.text).not.toContain('"message"');
    // Only in the response to POST, for older clients.
    const { paper_object: _, ...document } = answer.body;
    return document;
  };
  const triangle = [10, 10, 30, 10, 30, 30];
  const image = async () =>
    server.db.selectFrom("images").selectAll().where("id", "=", imageId).executeTakeFirstOrThrow();

  test("a posted polygon is stored unchanged, with area and box of its mask", async () => {
    const square = [10, 10, 30, 10, 30, 30, 10, 30, 10, 10];
    const made = await post({ segmentation: [square], color: "#ABCDEF", metadata: { a: 1 } });
    expect(made).toMatchObject({
      segmentation: [square],
      rings: [[square]],
      rle: null,
      area: 400,
      bbox: [10, 10, 20, 20],
      image_id: imageId,
      category_id: categoryId,
      dataset_id: datasetId,
      color: "#abcdef",
      metadata: { a: 1 },
      creator: "ann",
      width: 640,
      height: 480,
      deleted: false,
      revision: 1,
      keypoints: [],
      events: [],
    });
    expect((await ann.get(`annotation/${made.id}`)).body).toEqual(made);
    const row = await server.db.selectFrom("annotations").select("shape").where("id", "=", made.id).executeTakeFirst();
    expect(row?.shape).toEqual([square]);
    expect(await image()).toMatchObject({ num_annotations: 1, annotated: true, revision: 2 });
  });

  test("overlapping polygons count once, and rings have holes", async () => {
    const box = (x: number, y: number, size: number) => [x, y, x + size, y, x + size, y + size, x, y + size];
    expect((await post({ segmentation: [box(0, 0, 10), box(5, 0, 10)] })).area).toBe(150);
    const holed = await post({ rings: [[box(0, 0, 20), box(5, 5, 10)]] });
    expect(holed).toMatchObject({ area: 300, segmentation: [box(0, 0, 20), box(5, 5, 10)] });
  });

  test("a posted mask is returned as polygons, with the mask beside them", async () => {
    const rle = { size: [480, 640], counts: [0, 960, 480 * 640 - 960] };
    const made = await post({ segmentation: rle, iscrowd: 1 });
    expect(made).toMatchObject({ rle, iscrowd: true, area: 960, bbox: [0, 0, 2, 480] });
    expect(made.segmentation).toHaveLength(1);
  });

  test("a box without a shape becomes its rectangle", async () => {
    const made = await post({ isbbox: true, bbox: [10, 20, 30, 40] });
    expect(made).toMatchObject({
      isbbox: true,
      bbox: [10, 20, 30, 40],
      area: 1200,
      segmentation: [[10, 20, 40, 20, 40, 60, 10, 60]],
    });
  });

  test("an annotation without rings, or with a box without width and height, is not stored as a box", async () => {
    const nothing = { isbbox: false, bbox: [0, 0, 0, 0], area: 0, segmentation: [] };
    const empty = { segmentation: [], bbox: [0, 0, 0, 0] };
    for (const more of [{ isbbox: true }, { rings: [], isbbox: true }, { segmentation: [[]] }, empty])
      expect(await post(more)).toMatchObject(nothing);
    expect(await image()).toMatchObject({ num_annotations: 0, annotated: false });
    const box = { isbbox: true, bbox: [1, 1, 5, 5], area: 25 };
    const { id } = await post({ bbox: [1, 1, 5, 5], segmentation: [[]] });
    expect((await ann.get(`annotation/${id}`)).body).toMatchObject(box);
    expect((await post({ segmentation: [[], triangle] })).segmentation).toEqual([triangle]);
    const flat = { image_id: imageId, category_id: categoryId, bbox: [10, 10, 0, 7] };
    expect((await ann.post("annotation/", flat)).status).toBe(400);
    expect((await ann.put(`annotation/${id}`, { bbox: [10, 10, 7, 0] })).status).toBe(400);
    expect((await ann.put(`annotation/${id}`, empty)).body).toMatchObject(nothing);
    expect(await image()).toMatchObject({ num_annotations: 1 });
  });

  test("keypoints are triples in the category's order, and extra ones are kept", async () => {
    await server.db
      .updateTable("categories")
      .set({ keypoints: JSON.stringify(toStored(NO_KEYPOINTS, { labels: ["a", "b"] })) })
      .where("id", "=", categoryId)
      .execute();
    const made = await post({ keypoints: [1, 2, 2, 0, 0, 0, 9, 9, 1] });
    expect(made).toMatchObject({ keypoints: [1, 2, 2, 0, 0, 0, 9, 9, 1], num_keypoints: 1, bbox: [1, 2, 0, 0] });
    const changed = await ann.put(`annotation/${made.id}`, { keypoints: [1, 2, 2, 5, 6, 2] });
    expect(changed.body).toMatchObject({ keypoints: [1, 2, 2, 5, 6, 2], num_keypoints: 2, bbox: [1, 2, 4, 4] });
  });

  test("an annotation without a shape is created with the dataset's default metadata", async () => {
    await server.db
      .updateTable("datasets")
      .set({ default_annotation_metadata: '{"a":0,"b":0}' })
      .where("id", "=", datasetId)
      .execute();
    expect(await post({ metadata: { a: 1 } })).toMatchObject({ metadata: { a: 1, b: 0 }, area: 0, segmentation: [] });
    expect(await image()).toMatchObject({ num_annotations: 0, annotated: false });
  });

  test("an update keeps fields that were not sent, and is added to the history", async () => {
    const made = await post({ segmentation: [triangle] });
    const other = await seedCategory(server.db, ann.id);
    const changed = await ann.put(`annotation/${made.id}`, { category_id: other });
    expect(changed.body).toEqual({ ...made, category_id: other, revision: 2 });
    expect((await ann.put(`annotation/${made.id}`, {})).body.revision).toBe(2);
    expect((await ann.put(`annotation/${made.id}`, { iscrowd: true })).body).toMatchObject({
      iscrowd: true,
      segmentation: [triangle],
      revision: 3,
    });
    const { changes } = (await ann.get(`annotator/edits/${imageId}?since=2`)).body;
    expect(changes.map((each: { fields: object }) => Object.keys(each.fields))).toEqual([
      ["category_id"],
      expect.arrayContaining(["iscrowd"]),
    ]);
  });

  /** Stores values like an import does: numbers that no measurement would give. */
  const storeAs = (id: number, more: object) =>
    Object.keys(more).length > 0 &&
    server.db
      .updateTable("annotations")
      .set(Object.fromEntries(Object.entries(more).map(([key, value]) => [key, JSON.stringify(value)])))
      .where("id", "=", id)
      .execute();
  const stored = async (id: number) =>
    server.db.selectFrom("annotations").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const rect = (x: number, y: number, size: number) => [x, y, x + size, y, x + size, y + size, x, y + size];
  const holed = { rings: [[rect(0, 0, 20), rect(5, 5, 10)]] };
  const mask = { size: [480, 640], counts: [0, 960, 480 * 640 - 960] };

  test.each([
    ["imported polygons", { segmentation: [triangle] }, { area: 123.456, bbox: [9.5, 9.25, 20.5, 20.125] }],
    ["a mask", { segmentation: mask, iscrowd: 1 }, { area: 957.5 }],
    ["a bare box", { isbbox: true, bbox: [10.5, 20, 30.25, 40] }, { area: 1.5 }],
    ["a shape with a hole", holed, {}],
    ["no shape at all", {}, {}],
  ])("the GET response of %s can be sent back, and changes only what differs", async (_, shape, file) => {
    const { id } = await post({ ...shape, metadata: { a: 1 } });
    await storeAs(id, file);
    const before = await stored(id);
    const { body } = await ann.get(`annotation/${id}`);
    const { rings: _rings, ...withoutRings } = body;
    for (const same of [body, withoutRings, { segmentation: body.segmentation }, { bbox: body.bbox }]) {
      const answer = await ann.put(`annotation/${id}`, same);
      expect([answer.status, answer.body], answer.text).toEqual([200, body]);
    }
    const other = await seedCategory(server.db, ann.id);
    const changed = await ann.put(`annotation/${id}`, { ...body, category_id: other, metadata: { b: 2 } });
    expect(changed.body).toEqual({ ...body, category_id: other, metadata: { b: 2 }, revision: 2 });
    const { shape: shapeBefore, area, bbox, isbbox, iscrowd, keypoints } = before;
    expect(await stored(id)).toMatchObject({ shape: shapeBefore, area, bbox, isbbox, iscrowd, keypoints });
  });

  test("the form of the shape that differs is used when an annotation is sent back", async () => {
    const { id } = await post({ segmentation: [triangle] });
    const put = async (more: object) => {
      const { body } = await ann.get(`annotation/${id}`);
      const answer = await ann.put(`annotation/${id}`, { ...body, ...more });
      expect(answer.status, answer.text).toBe(200);
      return (await stored(id)) as { shape: unknown; area: number; bbox: number[]; isbbox: boolean };
    };
    expect(await put({ segmentation: [rect(0, 0, 30)] })).toMatchObject({ shape: [rect(0, 0, 30)], area: 900 });
    expect(await put({ rings: holed.rings })).toMatchObject({ shape: holed, area: 300, bbox: [0, 0, 20, 20] });
    expect(await put({ bbox: [1, 1, 5, 5] })).toMatchObject({ shape: holed, area: 300, bbox: [0, 0, 20, 20] });
    expect(await put({ iscrowd: true })).toMatchObject({ shape: holed, iscrowd: true });
    expect(await put({ segmentation: mask })).toMatchObject({ shape: mask, area: 960 });
    await ann.put(`annotation/${id}`, { bbox: [1, 2, 30, 40] });
    expect(await put({ bbox: [5, 6, 7, 8] })).toMatchObject({
      shape: null,
      isbbox: true,
      area: 56,
      bbox: [5, 6, 7, 8],
    });
    expect(await put({ isbbox: false })).toMatchObject({
      shape: { rings: [[[5, 6, 12, 6, 12, 14, 5, 14]]] },
      area: 56,
    });
    expect(await put({ rings: [], segmentation: [] })).toMatchObject({ shape: null, isbbox: false, area: 0 });
  });

  test("a box that is sent alone replaces the stored outline", async () => {
    const { id } = await post({ segmentation: [triangle] });
    await ann.put(`annotation/${id}`, { segmentation: [], bbox: [10, 10, 20, 20] });
    expect(await stored(id)).toMatchObject({ shape: null, isbbox: true, area: 400 });
  });

  test("keypoints that are sent back stay unchanged, and move with their category", async () => {
    const define = (id: number, labels: string[]) =>
      server.db
        .updateTable("categories")
        .set({ keypoints: JSON.stringify(toStored(NO_KEYPOINTS, { labels })) })
        .where("id", "=", id)
        .execute();
    const other = await seedCategory(server.db, ann.id);
    await define(categoryId, ["a", "b"]);
    await define(other, ["b", "a"]);
    const made = await post({ keypoints: [1, 2, 2, 5, 6, 2, 7, 8, 1] });
    expect((await ann.put(`annotation/${made.id}`, made)).body).toEqual(made);
    const moved = await ann.put(`annotation/${made.id}`, { ...made, category_id: other });
    expect(moved.body).toMatchObject({ keypoints: [5, 6, 2, 1, 2, 2, 7, 8, 1], category_id: other });
  });

  test("deleting moves to the trash, deleting twice counts once, and a change after that is a conflict", async () => {
    const { id } = await post({ segmentation: [triangle] });
    expect((await ann.delete(`annotation/${id}`)).body).toEqual({ success: true });
    expect((await ann.delete(`annotation/${id}`)).body).toEqual({ success: true });
    expect((await ann.get(`annotation/${id}`)).body).toMatchObject({ deleted: true, revision: 2 });
    expect((await ann.put(`annotation/${id}`, { color: "#000000" })).status).toBe(409);
    expect(await image()).toMatchObject({ num_annotations: 0, annotated: false, revision: 3 });
  });

  describe("calls for one revision", () => {
    const ifMatch = (tag: string) => ({ headers: { "If-Match": tag } });
    const tagOf = (answer: { headers: Headers }) => answer.headers.get("etag") ?? "";
    let path: string;
    /** ETag as loaded before Mia changed the colour. */
    let old: string;
    beforeEach(async () => {
      path = `annotation/${(await post({ segmentation: [triangle] })).id}`;
      old = tagOf(await ann.get(path));
      await mia.put(path, { color: "#123456" });
    });

    test("the entity tag is the revision, when read, created and changed", async () => {
      const made = await ann.post("annotation/", { image_id: imageId, category_id: categoryId });
      const read = await ann.get(path);
      const changed = await ann.put(path, { metadata: { a: 1 } });
      expect([made, read, changed].map(tagOf)).toEqual(['"1"', '"2"', '"3"']);
      expect([made, read, changed].map(({ body }) => body.revision)).toEqual([1, 2, 3]);
    });

    test("a change that lost a race returns 412, and nothing is overwritten", async () => {
      const late = await ann.put(path, { color: "#abcdef", metadata: { a: 1 } }, ifMatch(old));
      expect(late.status).toBe(412);
      expect(late.body).toMatchObject({ code: "revision_changed", facts: { revision: 2 } });
      expect(tagOf(late)).toBe("");
      expect((await ann.get(path)).body).toMatchObject({ color: "#123456", metadata: {}, revision: 2 });
    });

    test("a change of the newest revision is stored, also with a tag that a proxy has weakened", async () => {
      const tag = tagOf(await ann.get(path));
      const first = await ann.put(path, { color: "#abcdef" }, ifMatch(tag));
      expect([first.status, first.body.color]).toEqual([200, "#abcdef"]);
      const second = await ann.put(path, { color: "#abcd00" }, ifMatch(`"77", W/${tagOf(first)}`));
      expect([second.status, second.body.color]).toEqual([200, "#abcd00"]);
      expect((await ann.put(path, { color: "#abcd11" }, ifMatch("*"))).status).toBe(200);
    });

    test("a change without a revision is made on the newest, even with an older one in the body", async () => {
      const changed = await ann.put(path, { revision: 1, metadata: { a: 1 } });
      expect([changed.status, changed.body.revision]).toEqual([200, 3]);
    });

    test("two simultaneous changes of one revision: one is stored, the other returns 412", async () => {
      const tag = tagOf(await ann.get(path));
      const answers = await Promise.all(
        [ann, mia].map((who, i) => who.put(path, { metadata: { by: i } }, ifMatch(tag))),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
      const { body } = await ann.get(path);
      expect(body.metadata).toEqual(answers.find(({ status }) => status === 200)?.body.metadata);
    });

    test("a deletion of an older revision returns 412, and a deletion of the newest is executed", async () => {
      expect((await ann.delete(path, ifMatch(old))).status).toBe(412);
      const read = await ann.get(path);
      expect(read.body.deleted).toBe(false);
      expect((await ann.delete(path, ifMatch(tagOf(read)))).status).toBe(200);
      expect((await ann.get(path)).body.deleted).toBe(true);
    });

    test("users without access cannot learn the revision", async () => {
      expect((await eve.put(path, {}, ifMatch(old))).status).toBe(404);
      expect((await eve.delete(path, ifMatch(old))).status).toBe(404);
    });
  });

  test("the list contains all visible annotations by id, including deleted ones", async () => {
    const [first, second] = [await post(), await post()];
    await ann.delete(`annotation/${first.id}`);
    const list = (await mia.get("annotation/?limit=1000")).body as { id: number }[];
    expect(list.slice(-2).map((each) => each.id)).toEqual([first.id, second.id]);
    expect((await eve.get("annotation/")).body).toEqual([]);
    expect((await mia.get("annotation/?limit=1&page=2")).body).toHaveLength(1);
  });

  test("members may use every call; for users without access nothing exists", async () => {
    const { id } = await post({ segmentation: [triangle] });
    expect((await mia.put(`annotation/${id}`, { color: "#000000" })).status).toBe(200);
    const theirs = await seedCategory(server.db, eve.id);
    const missing = await eve.get("annotation/999999");
    for (const answer of [
      await eve.get(`annotation/${id}`),
      await eve.put(`annotation/${id}`, { color: "#111111" }),
      await eve.delete(`annotation/${id}`),
    ])
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    expect((await eve.post("annotation/", { image_id: imageId, category_id: theirs })).status).toBe(404);
    expect((await ann.post("annotation/", { image_id: imageId, category_id: theirs })).status).toBe(404);
    expect((await ann.put(`annotation/${id}`, { category_id: theirs })).status).toBe(404);
  });

  test.each([
    ["no category", { category_id: undefined }],
    ["null for the category", { category_id: null }],
    ["text for the category", { category_id: "1" }],
    ["an odd polygon", { segmentation: [[1, 2, 3]] }],
    ["a polygon of texts", { segmentation: [["a", "b"]] }],
    ["a coordinate beyond all bounds", { segmentation: [[1e300, 0, 1, 1, 2, 2]] }],
    ["rings beyond all bounds", { rings: [[[1e300, 0, 1, 1, 2, 2]]] }],
    ["a box beyond all bounds", { bbox: [1e300, 0, 1, 1] }],
    ["a negative box", { bbox: [0, 0, -1, 1] }],
    ["a mask of another size", { segmentation: { size: [2, 2], counts: [4] } }],
    ["a mask whose counts do not fill the image", { segmentation: { size: [480, 640], counts: [4] } }],
    ["an invalid mask", { segmentation: { size: [480, 640], counts: "Üß" } }],
    ["keypoints that are not triples", { keypoints: [1, 2] }],
    ["an invalid colour", { color: "red" }],
    ["metadata that PostgreSQL cannot store", { metadata: { a: "\u0000" } }],
    ["metadata that is too long", { metadata: { a: "x".repeat(256 * 1024) } }],
    ["metadata with numbers that are too long as PostgreSQL writes them", { metadata: { a: Array(1000).fill(1e300) } }],
    ["an outline that crosses itself too often", { rings: [[zigzag(100_000)]] }],
  ])("%s is refused, and nothing is stored", async (_, more) => {
    const answer = await ann.post("annotation/", { image_id: imageId, category_id: categoryId, ...more });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual(expect.stringMatching(/./));
    expect(await image()).toMatchObject({ revision: 1 });
  });

  test("numbers that JSON cannot represent are refused", async () => {
    const body = `{"image_id":${imageId},"category_id":${categoryId},"segmentation":[[1e400,0,1,1,2,2]]}`;
    const headers = { "Content-Type": "application/json" };
    expect((await ann.request("POST", "annotation/", { body, headers })).status).toBe(400);
  });
});

function zigzag(points: number): number[] {
  return Array.from({ length: points }, (_, i) => [i % 2 ? 640 : 0, (i * 7919) % 480]).flat();
}
