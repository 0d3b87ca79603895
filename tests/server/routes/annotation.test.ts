import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { NO_KEYPOINTS } from "../../../shared/entities/keypoint";
import { toStored } from "../../../shared/rules/keypointDefinition";
import { describeOnBothDatabases } from "../../support/databases";
import { seedCategory, seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describeOnBothDatabases("the single calls of annotations", (open) => {
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
    return answer.body;
  };
  const triangle = [10, 10, 30, 10, 30, 30];
  const image = async () =>
    server.db.selectFrom("images").selectAll().where("id", "=", imageId).executeTakeFirstOrThrow();

  test("a posted polygon stays as it came, with area and box of its mask", async () => {
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

  test("a posted mask goes out as polygons, with the mask beside them", async () => {
    const rle = { size: [480, 640], counts: [0, 960, 480 * 640 - 960] };
    const made = await post({ segmentation: rle, iscrowd: 1 });
    expect(made).toMatchObject({ rle, iscrowd: true, area: 960, bbox: [0, 0, 2, 480] });
    expect(made.segmentation).toHaveLength(1);
  });

  test("a box alone is its rectangle", async () => {
    const made = await post({ isbbox: true, bbox: [10, 20, 30, 40] });
    expect(made).toMatchObject({
      isbbox: true,
      bbox: [10, 20, 30, 40],
      area: 1200,
      segmentation: [[10, 20, 40, 20, 40, 60, 10, 60]],
    });
  });

  test("keypoints are triples in the category's order; more than it has labels stay", async () => {
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

  test("an annotation without a shape is made, and gets the dataset's default metadata", async () => {
    await server.db
      .updateTable("datasets")
      .set({ default_annotation_metadata: '{"a":0,"b":0}' })
      .where("id", "=", datasetId)
      .execute();
    expect(await post({ metadata: { a: 1 } })).toMatchObject({ metadata: { a: 1, b: 0 }, area: 0, segmentation: [] });
    expect(await image()).toMatchObject({ num_annotations: 0, annotated: false });
  });

  test("a change keeps what was not sent, and goes into history", async () => {
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

  test("deleting puts into the bin, twice is once, and changing it then is a conflict", async () => {
    const { id } = await post({ segmentation: [triangle] });
    expect((await ann.delete(`annotation/${id}`)).body).toEqual({ success: true });
    expect((await ann.delete(`annotation/${id}`)).body).toEqual({ success: true });
    expect((await ann.get(`annotation/${id}`)).body).toMatchObject({ deleted: true, revision: 2 });
    expect((await ann.put(`annotation/${id}`, { color: "#000000" })).status).toBe(409);
    expect(await image()).toMatchObject({ num_annotations: 0, annotated: false, revision: 3 });
  });

  test("the list has what one may see, by id, deleted ones too", async () => {
    const [first, second] = [await post(), await post()];
    await ann.delete(`annotation/${first.id}`);
    const list = (await mia.get("annotation/?limit=1000")).body as { id: number }[];
    expect(list.slice(-2).map((each) => each.id)).toEqual([first.id, second.id]);
    expect((await eve.get("annotation/")).body).toEqual([]);
    expect((await mia.get("annotation/?limit=1&page=2")).body).toHaveLength(1);
  });

  test("members may do it all; for strangers nothing is there", async () => {
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
    ["a mask that does not sum up", { segmentation: { size: [480, 640], counts: [4] } }],
    ["a mask of nonsense", { segmentation: { size: [480, 640], counts: "Üß" } }],
    ["keypoints that are no triples", { keypoints: [1, 2] }],
    ["a colour that is none", { color: "red" }],
    ["metadata that PostgreSQL cannot store", { metadata: { a: "\u0000" } }],
    ["an outline that crosses itself absurdly often", { rings: [[zigzag(100_000)]] }],
  ])("%s is refused, and nothing is stored", async (_, more) => {
    const answer = await ann.post("annotation/", { image_id: imageId, category_id: categoryId, ...more });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual(expect.stringMatching(/./));
    expect(await image()).toMatchObject({ revision: 1 });
  });

  test("numbers that JSON cannot hold are refused", async () => {
    const body = `{"image_id":${imageId},"category_id":${categoryId},"segmentation":[[1e400,0,1,1,2,2]]}`;
    const headers = { "Content-Type": "application/json" };
    expect((await ann.request("POST", "annotation/", { body, headers })).status).toBe(400);
  });
});

function zigzag(points: number): number[] {
  return Array.from({ length: points }, (_, i) => [i % 2 ? 640 : 0, (i * 7919) % 480]).flat();
}
