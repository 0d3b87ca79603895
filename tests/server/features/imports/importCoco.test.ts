import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recountImages } from "../../../../server/features/annotations/rows/recountImages";
import { tidyTransfers } from "../../../../server/features/imports/tidyTransfers";
import { taskKinds } from "../../../../server/tasks";
import { compress } from "../../../../shared/coco/rle";
import {
  type CocoFile,
  exportOf,
  importFile,
  polygon,
  runQueuedTask,
  seedImages,
  uploadImport,
} from "../../../support/coco";
import { describeOnDatabases } from "../../../support/databases";
import { seedCategory, seedDataset } from "../../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../../support/server";
import { zipOf } from "../../../support/zips";

const SQUARE = [10, 10, 20, 10, 20, 20, 10, 20];

describeOnDatabases("COCO import", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let datasetId: number;

  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    bob = await server.user("bob");
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    datasetId = await seedDataset(server.db, { ownerId: ann.id, members: [bob.id] });
    await seedImages(server, datasetId, [
      { file_name: "a.jpg", width: 100, height: 80 },
      { file_name: "sub/b.jpg", width: 100, height: 80 },
    ]);
  });

  const images = [
    { id: 1, file_name: "a.jpg", width: 100, height: 80 },
    { id: 2, file_name: "sub/b.jpg", width: 100, height: 80 },
  ];
  let names = 0;
  /** Returns a category name that no other test uses, because categories are visible across datasets. */
  const fresh = (name = "thing") => `${name} ${++names}`;
  const fileOf = (annotations: unknown[], more: CocoFile = {}): CocoFile => ({
    images,
    annotations: annotations.map((item) => ({ image_id: 1, category_id: 7, ...(item as object) })),
    categories: [{ id: 7, name: fresh() }],
    ...more,
  });
  const bring = (file: CocoFile | string | Blob, user = ann) => importFile(server, user, datasetId, file);
  const rows = () =>
    server.db
      .selectFrom("annotations")
      .innerJoin("images", "images.id", "image_id")
      .selectAll("annotations")
      .where("dataset_id", "=", datasetId)
      .orderBy("annotations.id")
      .execute();
  const imageFile = (path: string) =>
    server.db
      .selectFrom("images")
      .selectAll()
      .where("dataset_id", "=", datasetId)
      .where("path", "=", path)
      .executeTakeFirstOrThrow();
  const categoryOf = (id: number) =>
    server.db.selectFrom("categories").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const listed = async () =>
    (await server.db.selectFrom("dataset_categories").selectAll().where("dataset_id", "=", datasetId).execute()).map(
      (row) => row.category_id,
    );

  it("keeps attributes, whatever their form, and the definitions of a new category", async () => {
    const definition = { name: "colour", type: "choice", choices: ["red"], required: false, default: null, key: null };
    const values = [{ occluded: false, colour: "red", track_id: 7 }, {}, ["odd"], undefined];
    const items = values.map((attributes, i) => ({ id: i + 1, segmentation: [SQUARE.map((n) => n + i)], attributes }));
    await bring(fileOf(items, { categories: [{ id: 7, name: fresh(), attributes: [definition] }] }));
    const stored = await rows();
    expect(stored.map(({ attributes }) => attributes)).toEqual([values[0], {}, null, null]);
    expect((await categoryOf(stored[0]!.category_id)).attributes).toEqual([definition]);
    const exported = await exportOf(ann, datasetId);
    expect(exported.annotations?.map(({ attributes }) => attributes)).toEqual(values);
    expect(exported.categories?.map(({ attributes }) => attributes)).toEqual([[definition]]);
  });

  it("exports the annotations in the back first, and those in front last", async () => {
    const layers = [2, undefined, -1, undefined, "odd"];
    const items = layers.map((z_order, i) => ({
      id: i + 1,
      segmentation: [SQUARE.map((n) => n + i)],
      attributes: { z_order, i },
    }));
    await bring(fileOf(items));
    const exported = await exportOf(ann, datasetId);
    expect(exported.annotations?.map(({ attributes }) => (attributes as { i: number }).i)).toEqual([2, 1, 3, 4, 0]);
  });

  it("keeps every form of segmentation, area, bbox, crowd and unknown key unchanged", async () => {
    const runs = [810, 10, 7180];
    const items: Record<string, unknown>[] = [
      { segmentation: [[10.125, 10, 20.0000001, 10, 20, 1e-7, 10.125, 10]], area: -1.5, bbox: [1.1, 2.2, 3.3, 4.4] },
      { segmentation: [SQUARE, [1, 1, 5, 5]], area: 0.1 + 0.2, bbox: [-5, 0, 0, 0], iscrowd: 0 },
      { segmentation: { size: [80, 100], counts: runs }, area: 10, bbox: [10, 10, 1, 10], iscrowd: 1 },
      { segmentation: { size: [80, 100], counts: compress(runs) }, area: 10, bbox: [10, 10, 1, 10], iscrowd: 0 },
      { bbox: [1, 2, 30, 40], area: 1200 },
      { segmentation: [], bbox: [1, 2, 30, 41], area: 1230 },
      { segmentation: [[]], bbox: [1, 2, 30, 42], area: 1 },
      { segmentation: null, bbox: [1, 2, 30.5, 43], area: 2 },
      {
        segmentation: [SQUARE],
        area: 7,
        bbox: [1, 1, 1, 1],
        score: 0.25,
        attributes: { occluded: true, constructor: "x" },
        toString: "kept",
        tags: [],
      },
    ];
    const { row, report } = await bring(fileOf(items));
    expect([row.state, report.created, report.skipped]).toEqual(["done", items.length, {}]);
    const out = (await exportOf(ann, datasetId)).annotations;
    for (const [i, item] of items.entries()) {
      const { iscrowd = 0, ...rest } = item;
      expect(out[i], `item ${i}`).toMatchObject(rest);
      expect(out[i]?.iscrowd).toBe(iscrowd);
      expect("segmentation" in (out[i] ?? {})).toBe("segmentation" in item);
      expect(out[i]?.isbbox).toBe(i >= 4 && i <= 7);
    }
  });

  it("computes missing measures like the COCO mask code", async () => {
    await bring(
      fileOf(
        [
          { segmentation: [SQUARE] },
          { segmentation: { size: [80, 100], counts: [810, 10, 7180] }, iscrowd: true },
          { bbox: [2, 3, 10, 10] },
          { keypoints: [5, 6, 2, 9, 12, 1, 50, 50, 0] },
        ],
        { categories: [{ id: 7, name: fresh(), keypoints: ["a", "b", "c"] }] },
      ),
    );
    const out = (await exportOf(ann, datasetId)).annotations;
    expect(out.map(({ area, bbox, iscrowd }) => [area, bbox, iscrowd])).toEqual([
      [100, [10, 10, 10, 10], 0],
      [10, [10, 10, 1, 10], 1],
      [100, [2, 3, 10, 10], 0],
      [0, [5, 6, 4, 6], 0],
    ]);
  });

  it("skips annotations that cannot be drawn, reports why, and imports the rest", async () => {
    const bad: unknown[] = [
      null,
      5,
      { segmentation: [[1, 2, 3]] },
      { segmentation: [["1", "2"]] },
      { segmentation: [1, 2, 3, 4, 5, 6] },
      { segmentation: "x" },
      { segmentation: { size: [80, 100], counts: [1, 2] } },
      { segmentation: { size: [100, 80], counts: [8000] } },
      { segmentation: { size: [80, 100], counts: "\u00e9" } },
      { segmentation: [[1e300, 0, 1, 1, 2, 2]] },
      { caption: "a cat" },
      { bbox: [1, 2, 0, 0] },
      { bbox: ["1", 2, 3, 4] },
      { segmentation: [SQUARE], keypoints: [1, 2] },
      { segmentation: [SQUARE], keypoints: [1, 2, 7] },
      { segmentation: [SQUARE], image_id: 99 },
      { segmentation: [SQUARE], image_id: null },
      { segmentation: [SQUARE], category_id: "seven" },
      { segmentation: [SQUARE], category_id: undefined },
      { category_id: undefined, caption: "a cat" },
      { category_id: undefined, segments_info: [{ id: 1, category_id: 7 }] },
      { keypoints: [] },
    ];
    const annotations = bad.map((item) =>
      item && typeof item === "object" ? { image_id: 1, category_id: 7, ...item } : item,
    );
    const { row, report, log } = await bring({
      ...fileOf([]),
      annotations: [...annotations, { image_id: 1, category_id: 7, segmentation: [SQUARE] }],
    });
    const skipped = Object.values(report.skipped as Record<string, number>).reduce((a, b) => a + b, 0);
    expect([row.state, report.created, skipped, row.warnings]).toEqual(["done", 1, bad.length, bad.length]);
    expect(report.skipped).toMatchObject({
      "its image is not in the file": 1,
      "is not an object": 2,
      "has a bbox without width or height, and no segmentation": 1,
      "has a bbox that is not four numbers, and no segmentation": 1,
      "has neither segmentation nor bbox nor keypoints": 2,
      "is a caption, which belongs to no category": 1,
      "is a panoptic annotation: its mask is a PNG, which is not supported": 1,
    });
    expect(log).toContain("WARNING Annotation at position 11: has neither segmentation nor bbox nor keypoints");
  });

  it("logs the first message of a kind and counts the rest", async () => {
    const { row, report, log } = await bring(fileOf(Array.from({ length: 500 }, (_, id) => ({ id }))));
    const reason = "has neither segmentation nor bbox nor keypoints";
    expect([row.warnings, report.skipped[reason], report.examples[reason].length]).toEqual([21, 500, 20]);
    expect(log).toContain(`WARNING 480 more: ${reason}`);
  });

  it("discards values that cannot be stored, and keys that would change an object's prototype", async () => {
    const annotations = `[{"image_id":1,"category_id":7,"segmentation":[[${SQUARE}]],"a":"\\u0000","b":{"c":"\\ud800"},
      "__proto__":{"area":1},"id":{"x":1},"fine":"\u{1f4a1}"}]`;
    const file = JSON.stringify(fileOf([])).replace('"annotations":[]', `"annotations":${annotations}`);
    const { report } = await bring(file);
    expect(report.created).toBe(1);
    const [row] = await rows();
    expect(row?.extra).toEqual({ fine: "\u{1f4a1}" });
    expect((await exportOf(ann, datasetId)).annotations[0]).toMatchObject({ area: 100, fine: "\u{1f4a1}" });
  });

  it("distinguishes ids by value, even beyond the precision of a double", async () => {
    const [big, next] = ["20190824000000001", "20190824000000002"];
    expect(Number(big)).toBe(Number(next) - 0);
    const name = fresh();
    const file = `{"annotations":[
        {"image_id":${next},"category_id":"7","bbox":[1,1,2,2]},{"image_id":${big},"category_id":7.5,"bbox":[1,1,3,3]}],
      "images":[{"id":${big},"file_name":"a.jpg"},{"id":${next},"file_name":"sub/b.jpg"}],
      "categories":[{"id":"7","name":"${name}"},{"id":7.5,"name":"${name} half"}]}`;
    const { report } = await bring(file);
    expect([report.created, report.skipped]).toEqual([2, {}]);
    const [first, second] = await rows();
    expect([first?.image_id, second?.image_id]).toEqual([
      (await imageFile("sub/b.jpg")).id,
      (await imageFile("a.jpg")).id,
    ]);
    expect((await categoryOf(second?.category_id ?? 0)).name).toBe(`${name} half`);
  });

  it("treats ids as numbers and as texts alike, and accepts numbers as names", async () => {
    const { report } = await bring({
      images: [{ id: "1", file_name: "a.jpg" }],
      annotations: [
        { image_id: 1, category_id: "7", bbox: [1, 1, 2, 2] },
        { image_id: "1", category_id: 7, bbox: [1, 1, 3, 3] },
        { image_id: "01", category_id: 7, bbox: [1, 1, 3, 3] },
      ],
      categories: [{ id: 7, name: 5 }],
    });
    expect([report.created, report.skipped]).toEqual([2, { "its image is not in the file": 1 }]);
    expect((await exportOf(ann, datasetId)).categories).toMatchObject([{ name: "5" }]);
  });

  it("reads NaN and Infinity, as Python writes them, as null, and reports it; inside strings they stay unchanged", async () => {
    const annotations = `{"image_id":1,"category_id":7,"bbox":[1,1,2,2],"score":NaN,"area":-Infinity,"a\\"NaN":"NaN \\" Infinity"},
      {"image_id":1,"category_id":7,"bbox":[1,1,Infinity,2]},{"image_id":1,"category_id":7,"bbox":[1,1,3,3]}`;
    const { report, row } = await bring(
      JSON.stringify(fileOf([], { info: { x: "y" } }))
        .replace('"annotations":[]', `"annotations":[${annotations}]`)
        .replace('"y"', "NaN"),
    );
    expect([row.state, report.created]).toEqual(["done", 2]);
    expect(report.notes).toEqual({ "has NaN or Infinity, which are not valid JSON and were read as null": 2 });
    expect(report.skipped).toEqual({ "has a bbox that is not four numbers, and no segmentation": 1 });
    const [first] = (await exportOf(ann, datasetId)).annotations;
    expect(first).toMatchObject({ area: 4, score: null, 'a"NaN': 'NaN " Infinity' });
  });

  it("reports numbers of unknown keys that lose digits", async () => {
    const { report } = await bring(
      JSON.stringify(fileOf([{ bbox: [1, 1, 2, 2], track: { ids: [5] } }])).replace("[5]", "[12345678901234567890]"),
    );
    expect(report.notes).toEqual({ "has integers above 2^53 in unknown keys, which were rounded": 1 });
  });

  it("finds images by URLs and escaped names, preferring exact names", async () => {
    await seedImages(server, datasetId, [
      { file_name: "my cat.jpg", width: 100, height: 80 },
      { file_name: "my%20dog.jpg", width: 100, height: 80 },
      { file_name: "my dog.jpg", width: 100, height: 80 },
    ]);
    const named = ["my%20cat.jpg", "my%20dog.jpg", "sub%2Fb.jpg", "https://example.org/x/a.jpg?size=2", "100%.jpg"];
    const { report } = await bring({
      images: named.map((file_name, id) => ({ id, file_name })),
      annotations: named.map((_, id) => ({ image_id: id, category_id: 7, bbox: [1, 1, 2, 2] })),
      categories: [{ id: 7, name: fresh() }],
    });
    expect(report.images).toEqual({ matched: 4, "not in the dataset": 1 });
    const { images: out, annotations } = await exportOf(ann, datasetId);
    const names = annotations.map(({ image_id }) => out.find(({ id }) => id === image_id)?.file_name);
    expect(names).toEqual(["a.jpg", "sub/b.jpg", "my cat.jpg", "my%20dog.jpg"]);
  });

  it("recognises the annotations as present when a file, or its export, is imported again", async () => {
    const file = fileOf([
      { segmentation: [SQUARE], area: 1, bbox: [1, 1, 1, 1] },
      { segmentation: [SQUARE], area: 1, bbox: [1, 1, 1, 1] },
      { bbox: [1, 2, 3, 4] },
      { image_id: 2, segmentation: { size: [80, 100], counts: [810, 10, 7180] }, iscrowd: 1 },
      { category_id: 8, keypoints: [5, 6, 2, 0, 0, 0] },
    ]);
    file.categories = [
      { id: 7, name: fresh() },
      { id: 8, name: fresh(), keypoints: ["a", "b"] },
    ];
    expect((await bring(file)).report).toMatchObject({ created: 5, matched: 0 });
    expect((await bring(file)).report).toMatchObject({ created: 0, matched: 5 });
    const [row] = await rows();
    const hole = {
      rings: [
        [
          [1, 1, 30, 1, 30, 30, 1, 30],
          [5, 5, 9, 5, 9, 9, 5, 9],
        ],
      ],
    };
    await server.db
      .insertInto("annotations")
      .values({
        image_id: row?.image_id ?? 0,
        category_id: row?.category_id ?? 0,
        shape: JSON.stringify(hole),
        color: "#000000",
        area: 825,
      })
      .execute();
    const again = await bring(JSON.stringify(await exportOf(ann, datasetId)));
    expect(again.report).toMatchObject({ created: 0, matched: 6, skipped: {} });
    expect(await rows()).toHaveLength(6);
  });

  it("recognises present annotations across many pages of an image", async () => {
    const many = fileOf(Array.from({ length: 2500 }, (_, n) => ({ bbox: [n % 50, Math.floor(n / 50), 1.5, 1.5] })));
    expect((await bring(many)).report).toMatchObject({ created: 2500, matched: 0 });
    expect((await imageFile("a.jpg")).num_annotations).toBe(2500);
    expect((await bring(many)).report).toMatchObject({ created: 0, matched: 2500 });
    expect((await exportOf(ann, datasetId)).annotations).toHaveLength(2500);
  });

  it("counts and raises the revision of the images it changed, and of no other", async () => {
    const before = await imageFile("a.jpg");
    await bring(fileOf([{ bbox: [1, 1, 2, 2] }, { bbox: [1, 1, 2, 3] }]));
    const after = await imageFile("a.jpg");
    expect([after.num_annotations, after.annotated]).toEqual([2, true]);
    expect([after.revision, after.reload_revision]).toEqual([before.revision + 1, before.revision + 1]);
    expect(await imageFile("sub/b.jpg")).toMatchObject({ num_annotations: 0, annotated: false, revision: 1 });
  });

  it("matches images by path, then by a unique bare name, and never guesses", async () => {
    await seedImages(server, datasetId, [
      { file_name: "x/same.jpg", width: 10, height: 10 },
      { file_name: "y/same.jpg", width: 10, height: 10 },
      { file_name: "z/only.jpg", width: 10, height: 10 },
      { file_name: "z/shared.jpg", width: 10, height: 10 },
      { file_name: "gone.jpg", width: 10, height: 10 },
      { file_name: "back\\slash.jpg", width: 10, height: 10 },
    ]);
    await server.db
      .updateTable("images")
      .set({ deleted_at: new Date() })
      .where("dataset_id", "=", datasetId)
      .where("path", "=", "gone.jpg")
      .execute();
    const files = [
      { id: 1, file_name: "x/same.jpg" },
      { id: 2, file_name: "same.jpg" },
      { id: 3, file_name: "only.jpg", width: 10, height: 10 },
      { id: 4, file_name: "same.jpg", path: "/datasets/old/y/same.jpg" },
      { id: 5, file_name: "gone.jpg" },
      { id: 6, file_name: "train/shared.jpg" },
      { id: 7, file_name: "val/shared.jpg" },
      { id: 8, file_name: ".\\sub\\b.jpg" },
      { id: 9, file_name: "../../etc/passwd" },
      { id: 10, file_name: "a\u0000.jpg" },
      { id: 11, file_name: "a.jpg", width: 80, height: 100 },
      { id: 12 },
      { id: 13, file_name: "back\\slash.jpg" },
    ];
    const { report } = await bring(
      fileOf(
        files.map(({ id }) => ({ image_id: id, bbox: [1, 1, id, 2] })),
        { images: files },
      ),
    );
    expect(report.images).toEqual({
      matched: 5,
      "ambiguous file name": 3,
      "not in the dataset": 3,
      "size differs": 1,
      "no file name": 1,
    });
    const out = await exportOf(ann, datasetId);
    const paths = new Map(out.images.map(({ id, file_name }) => [id, file_name]));
    const found = out.annotations.map(({ image_id, bbox }) => [(bbox as number[])[2], paths.get(image_id)]);
    expect(found.sort((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
      [1, "x/same.jpg"],
      [3, "z/only.jpg"],
      [4, "y/same.jpg"],
      [8, "sub/b.jpg"],
      [13, "back\\slash.jpg"],
    ]);
  });

  it("rotates shapes drawn on the stored pixels of a rotated image", async () => {
    await seedImages(server, datasetId, [{ file_name: "turned.jpg", width: 4, height: 6, orientation: 6 }]);
    const { report } = await bring(
      fileOf(
        [
          {
            segmentation: [[1, 1, 3, 1, 3, 2, 1, 2]],
            bbox: [1, 1, 2, 1],
            area: 2,
            keypoints: [1, 1, 2, 2, 1, 1, 0, 0, 0],
          },
          { segmentation: { size: [4, 6], counts: [5, 1, 3, 1, 14] }, bbox: [1, 1, 2, 1], area: 2, iscrowd: 1 },
        ],
        {
          images: [{ id: 1, file_name: "turned.jpg", width: 6, height: 4 }],
          categories: [{ id: 7, name: fresh(), keypoints: ["tip"] }],
        },
      ),
    );
    expect(report).toMatchObject({ created: 2, skipped: {} });
    const [drawn, crowd] = (await exportOf(ann, datasetId)).annotations;
    expect(drawn).toMatchObject({
      segmentation: [[3, 1, 3, 3, 2, 3, 2, 1]],
      bbox: [2, 1, 1, 2],
      keypoints: [3, 1, 2, 3, 2, 1, 0, 0, 0],
    });
    // Column 2 of the upright image, rows 1 and 2: 2 columns of 6, one pixel, then two set.
    expect(crowd?.segmentation).toEqual({ size: [6, 4], counts: [13, 2, 9] });
    const upright = await ann.get(`dataset/${datasetId}/coco?segmentation=polygon`);
    expect(upright.body.annotations[1].segmentation).toEqual([expect.arrayContaining([2, 1, 3, 1, 3, 3, 2, 3])]);
  });

  describe("images with an EXIF orientation", () => {
    /** Drawn on 300 × 200 stored pixels: the corner of the L differs in all eight orientations. */
    const DRAWN = [10, 20, 60, 20, 60, 40, 10, 40];
    const drawn = (image_id: number, more: object = {}) => ({ image_id, segmentation: [DRAWN], ...more });
    const listed = (id: number, file_name: string, [width, height]: [number, number]) => ({
      id,
      file_name,
      width,
      height,
    });
    const imagesOf = (...all: [string, number, [number, number]][]) =>
      seedImages(
        server,
        datasetId,
        all.map(([file_name, orientation, [width, height]]) => ({ file_name, orientation, width, height })),
      );
    const shapes = async () => {
      const { images: out, annotations } = await exportOf(ann, datasetId);
      const names = new Map(out.map(({ id, file_name }) => [id, file_name]));
      return Object.fromEntries(annotations.map((item) => [names.get(item.image_id), item]));
    };

    it("rotates those of ambiguous size if another image of the file proves stored pixels", async () => {
      await imagesOf(
        ["two.jpg", 2, [300, 200]],
        ["three.jpg", 3, [300, 200]],
        ["four.jpg", 4, [300, 200]],
        ["six.jpg", 6, [200, 300]],
        ["square.jpg", 8, [300, 300]],
        ["plain.jpg", 1, [300, 200]],
      );
      const names = ["two.jpg", "three.jpg", "four.jpg", "six.jpg", "square.jpg", "plain.jpg"];
      const { report } = await bring(
        fileOf(
          names.map((_, i) => drawn(i + 1, { bbox: [10, 20, 50, 20] })),
          {
            images: names.map((name, i) => listed(i + 1, name, name === "square.jpg" ? [300, 300] : [300, 200])),
          },
        ),
      );
      expect(report).toMatchObject({ created: 6, pixels: { made_for: "stored", turned: 5, unproven: 0 } });
      expect(Object.values(report.image_notes as Record<string, number>)).toEqual([5]);
      const out = await shapes();
      expect(out["two.jpg"]).toMatchObject({
        segmentation: [[290, 20, 240, 20, 240, 40, 290, 40]],
        bbox: [240, 20, 50, 20],
      });
      expect(out["three.jpg"]).toMatchObject({
        segmentation: [[290, 180, 240, 180, 240, 160, 290, 160]],
        bbox: [240, 160, 50, 20],
      });
      expect(out["four.jpg"]).toMatchObject({
        segmentation: [[10, 180, 60, 180, 60, 160, 10, 160]],
        bbox: [10, 160, 50, 20],
      });
      expect(out["six.jpg"]?.segmentation).toEqual([[180, 10, 180, 60, 160, 60, 160, 10]]);
      expect(out["square.jpg"]?.segmentation).toEqual([[20, 290, 20, 240, 40, 240, 40, 290]]);
      expect(out["plain.jpg"]?.segmentation).toEqual([DRAWN]);
    });

    it("rotates masks of the same size pixel by pixel", async () => {
      await imagesOf(["half.png", 3, [3, 2]], ["proof.png", 6, [2, 3]]);
      await bring(
        fileOf([{ image_id: 1, segmentation: { size: [2, 3], counts: [1, 2, 3] }, iscrowd: 1 }], {
          images: [listed(1, "half.png", [3, 2]), listed(2, "proof.png", [3, 2])],
        }),
      );
      expect((await shapes())["half.png"]?.segmentation).toEqual({ size: [2, 3], counts: [3, 2, 1] });
    });

    it("rotates none if another image of the file proves upright pixels, whatever the user chose", async () => {
      await imagesOf(["three.jpg", 3, [300, 200]], ["six.jpg", 6, [200, 300]]);
      const file = fileOf([drawn(1), drawn(2)], {
        images: [listed(1, "three.jpg", [300, 200]), listed(2, "six.jpg", [200, 300])],
      });
      const { report } = await importFile(server, ann, datasetId, file, "?pixels=stored");
      expect(report).toMatchObject({ pixels: { made_for: "upright", turned: 0, unproven: 0 } });
      const out = await shapes();
      expect([out["three.jpg"]?.segmentation, out["six.jpg"]?.segmentation]).toEqual([[DRAWN], [DRAWN]]);
    });

    it("asks if nothing proves it, and follows the choice", async () => {
      await imagesOf(["three.jpg", 3, [300, 200]]);
      const file = fileOf([drawn(1)], { images: [listed(1, "three.jpg", [300, 200])] });
      const { report } = await bring(file);
      expect(report).toMatchObject({ pixels: { made_for: null, turned: 0, unproven: 1 } });
      expect((await shapes())["three.jpg"]?.segmentation).toEqual([DRAWN]);
      await server.db.deleteFrom("annotations").execute();
      const second = await importFile(server, ann, datasetId, file, "?pixels=stored");
      expect(second.report).toMatchObject({ pixels: { made_for: "stored", turned: 1, unproven: 0 } });
      expect((await shapes())["three.jpg"]?.segmentation).toEqual([[290, 180, 240, 180, 240, 160, 290, 160]]);
    });
  });

  it("finds each of its own categories again, even if names are equal or differ only in case", async () => {
    const name = fresh("Bus");
    const [carl, dora] = [await server.user("carl"), await server.user("dora")];
    const mine = await seedCategory(server.db, ann.id, name);
    const listedIds = [
      await seedCategory(server.db, bob.id, name),
      await seedCategory(server.db, carl.id, name.toLowerCase()),
      await seedCategory(server.db, dora.id, name.toUpperCase()),
    ];
    const ids = [mine, ...listedIds];
    await server.db
      .insertInto("dataset_categories")
      .values(listedIds.map((category_id) => ({ dataset_id: datasetId, category_id })))
      .execute();
    const { id: image_id } = await imageFile("a.jpg");
    for (const [i, category_id] of ids.entries())
      await server.db
        .insertInto("annotations")
        .values({
          image_id,
          category_id,
          area: 100,
          shape: JSON.stringify([SQUARE.map((value) => value + i)]),
          bbox: "[10,10,10,10]",
          color: "#336699",
        })
        .execute();
    await recountImages(server.db, [image_id]);
    const out = await exportOf(ann, datasetId);
    expect(out.annotations.map((one) => one.category_id)).toEqual(ids);
    for (const [who, categories] of [
      [ann, out.categories.toReversed()],
      [bob, out.categories],
    ] as const) {
      const { report } = await bring({ ...out, categories }, who);
      expect(report).toMatchObject({ created: 0, matched: 4 });
    }
  });

  it("keeps categories of equal names apart across batches, and creates one if there is only one", async () => {
    const [name, single] = [fresh("cat"), fresh("dog")];
    const first = (await ann.post("category/", { name })).body.id;
    const second = (await bob.post("category/", { name })).body.id;
    await server.db
      .insertInto("dataset_categories")
      .values([first, second].map((category_id) => ({ dataset_id: datasetId, category_id })))
      .execute();
    const filler = fresh("filler");
    const between = Array.from({ length: 110 }, (_, i) => ({ id: 100 + i, name: `${filler} ${i}` }));
    const file = fileOf([{ category_id: 1, bbox: [1, 1, 2, 2] }], {
      categories: [{ id: 1, name }, { id: 3, name: single }, ...between, { id: 2, name }, { id: 4, name: single }],
    });
    const { categories } = (await bring(file)).report as { categories: { id: number }[] };
    expect([categories[0]?.id, categories.at(-2)?.id]).toEqual([first, second]);
    expect(categories.at(-1)?.id).toBe(categories[1]?.id);
  });

  it("counts and exports keypoints for which the category has no label, and recognises them again", async () => {
    const keypoints = [5, 6, 2, 7, 8, 1];
    const { report } = await bring(fileOf([{ keypoints }, { keypoints: [1, 2, 2] }]));
    expect(report).toMatchObject({ created: 2, skipped: {} });
    const { id: image_id } = await imageFile("a.jpg");
    const [imported] = await rows();
    await ann.post("annotation/", { image_id, category_id: imported?.category_id, keypoints: [9, 9, 2] });
    const out = await exportOf(ann, datasetId);
    expect(out.annotations.map((one) => [one.keypoints, one.num_keypoints])).toEqual([
      [keypoints, 2],
      [[1, 2, 2], 1],
      [[9, 9, 2], 1],
    ]);
    expect(await imageFile("a.jpg")).toMatchObject({ num_annotations: 3, annotated: true });
    expect((await bring({ ...out })).report).toMatchObject({ created: 0, matched: 3, skipped: {} });
  });

  it("skips metadata that is too long as the database writes it, and reports it", async () => {
    const long = { numbers: Array(2000).fill(1e300) };
    const file = fileOf(
      [
        { segmentation: [SQUARE], metadata: long, scores: long },
        { bbox: [1, 1, 2, 2], score: 1e-60 },
      ],
      {
        images: [{ id: 1, file_name: "a.jpg", metadata: long }],
        categories: [{ id: 7, name: fresh(), metadata: long }],
      },
    );
    const { report } = await bring(file);
    expect(report).toMatchObject({
      created: 2,
      notes: {
        "metadata cannot be stored, and was left out": 1,
        "has unknown keys that cannot be stored, which were left out": 1,
      },
      category_notes: { "metadata cannot be stored, and was left out": 1 },
      file_notes: { "has keys or metadata that cannot be stored, which were left out": 1 },
    });
    const [drawn, box] = (await exportOf(ann, datasetId)).annotations;
    expect(drawn).toMatchObject({ metadata: {} });
    expect(drawn).not.toHaveProperty("scores");
    expect(box).toMatchObject({ score: 1e-60 });
  });

  it.each([
    ["16 digits", "1234567890123456"],
    ["more than a double holds", "20190824000000001"],
  ])("recognises a number as text and a text as number: %s", async (_, digits) => {
    const name = fresh();
    const next = String(BigInt(digits) + 1n);
    const { report } =
      await bring(`{"images":[{"id":${digits},"file_name":"a.jpg"},{"id":"${next}","file_name":"sub/b.jpg"}],
      "categories":[{"id":"${digits}","name":"${name}"}],
      "annotations":[{"image_id":"${digits}","category_id":${digits},"bbox":[1,1,2,2]},
        {"image_id":${next},"category_id":${digits},"bbox":[1,1,2,2]}]}`);
    expect(report).toMatchObject({ created: 2, skipped: {} });
    expect((await rows()).map((row) => row.image_id)).toEqual([
      (await imageFile("a.jpg")).id,
      (await imageFile("sub/b.jpg")).id,
    ]);
  });

  it("keeps the keys of found images only", async () => {
    await seedImages(server, datasetId, [{ file_name: "val/1.jpg", width: 10, height: 10 }]);
    const { report } = await bring(
      fileOf([], {
        images: [
          { id: 1, file_name: "val/1.jpg", license: 1, metadata: { from: "val" } },
          { id: 2, file_name: "train/1.jpg", license: 2, metadata: { from: "train", more: 1 } },
          { id: 1, file_name: "val/1.jpg", license: 3 },
        ],
      }),
    );
    expect(report.images).toEqual({ matched: 1, "ambiguous file name": 1, "has the same id as an earlier one": 1 });
    expect(await imageFile("val/1.jpg")).toMatchObject({ extra: { license: 1 }, metadata: { from: "val" } });
  });

  it("reports a damaged zip file", async () => {
    const bytes = new Uint8Array(await (await zipOf({ "coco.json": JSON.stringify(fileOf([])) })).arrayBuffer());
    const start = new DataView(bytes.buffer).getUint16(28, true) + 30 + "coco.json".length;
    bytes.fill(0xff, start, start + 8);
    const { row, log } = await bring(new Blob([bytes]));
    expect(row.state).toBe("failed");
    expect(log.join("\n")).toContain("The zip cannot be read: it is damaged inside the zip.");
  });

  it("uses the dataset's category, then a visible one, then creates one, ignoring case", async () => {
    const [mine, others, seen] = [fresh("Mine"), fresh("Others"), fresh("Seen")];
    const listedId = (await bob.post("category/", { name: mine, color: "#111111" })).body.id;
    await server.db.insertInto("dataset_categories").values({ dataset_id: datasetId, category_id: listedId }).execute();
    const ownId = (await ann.post("category/", { name: seen })).body.id;
    const hidden = (await bob.post("category/", { name: others })).body.id;
    const { report } = await bring(
      fileOf(
        [1, 2, 3].map((n) => ({ category_id: n, bbox: [1, 1, n, n] })),
        {
          categories: [
            { id: 1, name: mine.toUpperCase(), color: "#222222", supercategory: "x" },
            { id: 2, name: seen.toLowerCase() },
            { id: 3, name: others, color: "#ABCDEF", supercategory: "pets", metadata: { a: 1 } },
          ],
        },
      ),
    );
    const [one, two, three] = report.categories;
    expect([one.id, one.how, two.id, two.how, three.how]).toEqual([listedId, "found", ownId, "found", "created"]);
    expect(three.id).not.toBe(hidden);
    expect(await categoryOf(listedId)).toMatchObject({ name: mine, color: "#111111", supercategory: "" });
    expect(await categoryOf(three.id)).toMatchObject({
      name: others,
      color: "#abcdef",
      supercategory: "pets",
      metadata: { a: 1 },
      creator_id: ann.id,
    });
    expect((await listed()).sort()).toEqual([listedId, ownId, three.id].sort());
  });

  it("maps keypoints by label name, and creates a separate category if they do not match", async () => {
    const name = fresh("person");
    const point = (labels: string[], keypoints: number[]) =>
      fileOf([{ keypoints }], { categories: [{ id: 7, name, keypoints: labels, skeleton: [[1, 2]] }] });
    const first = (await bring(point(["nose", "eye"], [1, 1, 2, 2, 2, 1]))).report.categories[0];
    expect(first.how).toBe("created");
    const turned = (await bring(point(["eye", "nose"], [20, 20, 2, 10, 10, 1]))).report.categories[0];
    expect([turned.how, turned.id]).toEqual(["found", first.id]);
    const other = (await bring(point(["nose", "tail"], [3, 3, 2, 4, 4, 2]))).report.categories[0];
    expect([other.how, other.id === first.id]).toEqual(["own", false]);
    const again = (await bring(point(["tail", "nose"], [30, 30, 2, 40, 40, 2]))).report.categories[0];
    expect([again.how, again.id]).toEqual(["found", other.id]);
    expect((await categoryOf(first.id)).keypoints.labels.map((label) => label.name)).toEqual(["nose", "eye"]);
    expect((await categoryOf(other.id)).name).toBe(`${name} (2)`);
    const out = await exportOf(ann, datasetId);
    expect(out.annotations.map(({ keypoints }) => keypoints)).toEqual([
      [1, 1, 2, 2, 2, 1],
      [10, 10, 1, 20, 20, 2],
      [3, 3, 2, 4, 4, 2],
      [40, 40, 2, 30, 30, 2],
    ]);
    expect(out.categories.find(({ id }) => id === other.id)).toMatchObject({
      keypoints: ["nose", "tail"],
      skeleton: [[1, 2]],
    });
  });

  it("adds its keypoints to a category without any only if the importer may change it", async () => {
    const [own, foreign] = [fresh("own"), fresh("foreign")];
    const ownId = (await ann.post("category/", { name: own })).body.id;
    const foreignId = (await bob.post("category/", { name: foreign })).body.id;
    await server.db
      .insertInto("dataset_categories")
      .values({ dataset_id: datasetId, category_id: foreignId })
      .execute();
    const { report } = await bring(
      fileOf([{ keypoints: [1, 1, 2] }, { category_id: 8, keypoints: [1, 1, 2] }], {
        categories: [
          { id: 7, name: own, keypoints: ["tip"] },
          { id: 8, name: foreign, keypoints: ["tip"] },
        ],
      }),
    );
    expect(report.categories).toMatchObject([{ id: ownId, how: "defined" }, { how: "own" }]);
    expect((await categoryOf(ownId)).keypoints.labels).toMatchObject([{ name: "tip" }]);
    expect((await categoryOf(foreignId)).keypoints.labels).toEqual([]);
    expect(await categoryOf(report.categories[1].id)).toMatchObject({ name: foreign, creator_id: ann.id });
  });

  it("keeps unset, unplaced and extra keypoints unchanged", async () => {
    const categories = [{ id: 7, name: fresh(), keypoints: ["a", "b"] }];
    const items = [
      { keypoints: [0, 0, 0, 5, 5, 0], bbox: [1, 1, 2, 2] },
      { keypoints: [0, 0, 0, 0, 0, 0], segmentation: [SQUARE] },
      { keypoints: [1, 1, 2, 0, 0, 2, 9, 9, 1], segmentation: [SQUARE] },
    ];
    const { report } = await bring(fileOf(items, { categories }));
    expect(report.notes).toEqual({ "has keypoints without a label in the category, which are kept but not drawn": 1 });
    const out = (await exportOf(ann, datasetId)).annotations;
    expect(out.map(({ keypoints, num_keypoints }) => [keypoints, num_keypoints])).toEqual([
      [items[0]?.keypoints, 0],
      [items[1]?.keypoints, 0],
      [items[2]?.keypoints, 3],
    ]);
    const stored = await rows();
    expect(stored[1]?.keypoints).toEqual([]);
    expect(stored[2]?.extra).toEqual({ keypoints: [9, 9, 1] });
  });

  it("keeps extra keypoints of annotation calls, and exports them", async () => {
    const categories = [{ id: 7, name: fresh(), keypoints: ["a"] }];
    await bring(fileOf([{ keypoints: [1, 1, 2, 9, 9, 1], segmentation: [SQUARE] }], { categories }));
    const [imported] = await rows();
    expect((await ann.get(`annotation/${imported?.id}`)).body.keypoints).toEqual([1, 1, 2, 9, 9, 1]);
    await ann.put(`annotation/${imported?.id}`, { keypoints: [3, 3, 2] });
    const { id: image_id } = await imageFile("a.jpg");
    const posted = { image_id, category_id: imported?.category_id, keypoints: [5, 5, 1, 6, 6, 2, 0, 0, 0] };
    expect((await ann.post("annotation/", posted)).status).toBe(200);
    const out = (await exportOf(ann, datasetId)).annotations;
    expect(out.map(({ keypoints, num_keypoints }) => [keypoints, num_keypoints])).toEqual([
      [[3, 3, 2], 1],
      [posted.keypoints, 2],
    ]);
    for (const item of out)
      expect(Object.keys(item).filter((key) => key.startsWith("keypoints"))).toEqual(["keypoints"]);
    expect((await ann.post("annotation/", { ...posted, keypoints: [5, 5, 1, 6, 6, 7] })).status).toBe(400);
  });

  it("reports missing keypoints, and an area or a box that does not match", async () => {
    const categories = [{ id: 7, name: fresh(), keypoints: ["a", "b"] }];
    const items = [
      { keypoints: [1, 1, 2], segmentation: [SQUARE] },
      { segmentation: [SQUARE], area: "12" },
      { segmentation: [SQUARE], area: 1e308 },
      { segmentation: [SQUARE], area: null, bbox: "1,2,3,4" },
      { segmentation: [[1, 1, 9e7, 1, 5, 5]] },
    ];
    const { report } = await bring(fileOf(items, { categories }));
    expect(report.notes).toEqual({
      "has fewer keypoints than its category has labels: the others are unset": 1,
      "area was not a number and was computed": 2,
      "bbox was not four usable numbers and was computed": 1,
    });
    expect(report.skipped).toEqual({ "segmentation has coordinates that are too large": 1 });
    expect((await exportOf(ann, datasetId)).annotations[0]?.keypoints).toEqual([1, 1, 2, 0, 0, 0]);
  });

  it("keeps a category's own keys for this dataset, without overriding Limn's", async () => {
    const keys = { synset: "cat.n.01", synonyms: ["cat", "puss"], frequency: "f", isthing: 1 };
    const name = fresh();
    const categories = [{ id: 7, name, ...keys, keypoint_labels: ["x"] }];
    const { importId } = await bring(fileOf([{ bbox: [1, 1, 2, 2] }], { categories }));
    const [category] = (await exportOf(ann, datasetId)).categories;
    expect(category).toMatchObject({ name, ...keys });
    expect(category).not.toHaveProperty("keypoint_labels");
    const { id } = await imageFile("a.jpg");
    expect((await ann.get(`image/${id}/coco`)).body.categories).toEqual([category]);
    expect((await ann.get(`dataset/${datasetId}/imports`)).body[0].report.categories[0]).not.toHaveProperty("extra");
    const elsewhere = await seedDataset(server.db, { ownerId: ann.id });
    await server.db
      .insertInto("dataset_categories")
      .values({ dataset_id: elsewhere, category_id: Number(category?.id) })
      .execute();
    expect((await exportOf(ann, elsewhere)).categories[0]).not.toHaveProperty("synset");
    await bring(fileOf([], { categories: [{ id: 1, name, frequency: "r" }] }));
    expect((await exportOf(ann, datasetId)).categories[0]).toMatchObject({ ...keys, frequency: "r" });
    await runQueuedTask(server, (await ann.delete(`dataset/${datasetId}/import/${importId}`)).body.id);
    const long = fileOf([], { categories: [{ id: 1, name, def: "x".repeat(6000) }] });
    expect((await bring(long)).report.category_notes).toEqual({
      "has unknown keys that cannot be stored, which were left out": 1,
    });
  });

  it("reports missing lists, and refuses a file without any", async () => {
    for (const none of [{}, { images: null, annotations: { 1: {} } }, { features: [] }]) {
      const { row, log } = await bring(none as CocoFile);
      expect([row.state, log.at(-1)]).toEqual([
        "failed",
        "ERROR This is not a COCO file: it has no list of images, annotations or categories.",
      ]);
    }
    const { annotations, ...rest } = fileOf([]);
    const { report, log } = await bring({ ...rest, annotations: { 1: {} } as never, videos: [] });
    expect(report.file_notes).toEqual({ "is not a list": 1, "is not part of a COCO file and was left out": 1 });
    expect(log).toContain("WARNING annotations: is not a list");
    expect((await bring({ images, annotations: annotations ?? [] })).report.file_notes).toEqual({ "is missing": 1 });
    expect((await bring(fileOf([], { info: {}, licenses: [] }))).report.file_notes).toEqual({});
  });

  it("finds images by LVIS's URLs and by either Unicode form of accented letters", async () => {
    await seedImages(server, datasetId, [
      { file_name: "é.jpg", width: 10, height: 10 },
      { file_name: "sub/u\u0308.jpg", width: 10, height: 10 },
    ]);
    const given = [
      { id: 1, file_name: "e\u0301.jpg" },
      { id: 2, file_name: "ü.jpg" },
      { id: 3, coco_url: "http://images.example.org/train/a.jpg?x" },
      { id: 4, coco_url: "nowhere" },
    ];
    const { report } = await bring(
      fileOf(
        given.map(({ id }) => ({ image_id: id, bbox: [1, 1, 2, 2] })),
        { images: given },
      ),
    );
    expect(report.images).toEqual({ matched: 3, "no file name": 1 });
    expect(report.created).toBe(3);
  });

  it("creates no box for an exported annotation with only keypoints", async () => {
    const categories = [{ id: 7, name: fresh(), keypoints: ["a", "b"] }];
    const items = [{ keypoints: [5, 6, 2, 20, 30, 2] }, { keypoints: [5, 6, 2, 0, 0, 0], bbox: [1, 1, 30, 30] }];
    await bring(fileOf(items, { categories }));
    const exported = await exportOf(ann, datasetId);
    expect(exported.annotations.map(({ isbbox }) => isbbox)).toEqual([false, true]);
    await server.db.deleteFrom("annotations").execute();
    await bring(JSON.stringify(exported));
    expect((await exportOf(ann, datasetId)).annotations.map(({ id, ...rest }) => rest)).toEqual(
      exported.annotations.map(({ id, ...rest }) => rest),
    );
  });

  it("keeps licenses and the images' own keys, without overriding Limn's", async () => {
    const licenses = [{ id: 4, name: "CC BY", url: "http://example.org" }];
    const keys = { license: 4, coco_url: "http://example.org/a.jpg", date_captured: "2013-11-17", metadata: { m: 1 } };
    const image = { id: 1, file_name: "a.jpg", dataset_id: 999, path: "/datasets/secret/a.jpg", ...keys };
    await bring(fileOf([{ bbox: [1, 1, 2, 2] }], { images: [image], licenses, info: { year: 1 } }));
    const out = await exportOf(ann, datasetId);
    expect(out.licenses).toEqual(licenses);
    const { id } = await imageFile("a.jpg");
    expect(out.images).toEqual([{ id, width: 100, height: 80, file_name: "a.jpg", dataset_id: datasetId, ...keys }]);
    expect(Object.keys(out)).toEqual(["info", "licenses", "images", "categories", "annotations"]);
  });

  it("stores nothing of a file that is invalid anywhere", async () => {
    const name = fresh("nothing");
    const good = JSON.stringify(
      fileOf(
        Array.from({ length: 1500 }, () => ({ segmentation: [polygon(1, 5)] })),
        { categories: [{ id: 7, name }] },
      ),
    );
    const before = await server.db.selectFrom("annotations").select("id").execute();
    for (const broken of [good.slice(0, -20), good.replace('"categories"', '{"id":tru}],"categories"'), `${good}x`]) {
      const { row, log, report } = await bring(broken);
      expect(row.state).toBe("failed");
      expect(log.at(-1)).toMatch(/^ERROR The file cannot be read as COCO: /);
      expect(report.created).toBeUndefined();
    }
    const late = good.replace(/\}\],"categories"/, '},{"image_id":1,"category_id":7,"area":01}],"categories"');
    expect((await bring(late)).row.state).toBe("failed");
    expect(await server.db.selectFrom("annotations").select("id").execute()).toHaveLength(before.length);
    expect(await server.db.selectFrom("categories").select("id").where("name", "=", name).execute()).toEqual([]);
    expect(await imageFile("a.jpg")).toMatchObject({ num_annotations: 0, revision: 1 });
    expect(await server.services.files.transfers.listUploads()).toEqual([]);
  });

  it("returns 400 for anything but a JSON object, and 200 with the same task for the same file twice", async () => {
    for (const bad of ["", "  \n", "[]", "PNG", '"x"', new Blob([Buffer.from("\ufeff{}", "utf16le")])]) {
      const { status, body } = await uploadImport(ann, datasetId, bad);
      expect([status, typeof body.errors.coco], String(bad)).toEqual([400, "string"]);
    }
    expect((await ann.request("POST", `dataset/${datasetId}/coco`, { body: new FormData() })).status).toBe(400);
    const file = fileOf([{ bbox: [1, 1, 2, 2] }]);
    const [one, two] = await Promise.all([uploadImport(ann, datasetId, file), uploadImport(ann, datasetId, file)]);
    expect([one.status, two.status, one.body.celery_id]).toEqual([200, 200, String(one.body.id)]);
    expect(two.body.id).toBe(one.body.id);
    expect([one.body.existing, two.body.existing].toSorted()).toEqual([true, undefined]);
    expect(await server.services.files.transfers.listUploads()).toHaveLength(1);
    await runQueuedTask(server, one.body.id);
    expect(await rows()).toHaveLength(1);
    expect(await server.services.files.transfers.listUploads()).toEqual([]);
  });

  it("stores annotations once that two files have in common, which are imported at the same time", async () => {
    const boxes = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => ({ id: i + 1, bbox: [from + i, 1, 2, 2] }));
    const categories = [{ id: 7, name: fresh() }];
    const one = await uploadImport(ann, datasetId, fileOf(boxes(0, 60), { categories }));
    const two = await uploadImport(bob, datasetId, fileOf(boxes(20, 80), { categories }));
    const ended = await Promise.all([one, two].map(({ body }) => runQueuedTask(server, body.id)));
    expect(ended.map(({ row }) => row.state)).toEqual(["done", "done"]);
    expect(ended[1]?.row.result).toMatchObject({ created: 20, matched: 40 });
    expect((await rows()).map(({ bbox }) => bbox?.[0]).sort((a = 0, b = 0) => a - b)).toEqual(
      Array.from({ length: 80 }, (_, i) => i),
    );
  });

  it("members may import; owner and admins may export; other users see nothing", async () => {
    const stranger = await server.user(`stranger${++names}`);
    const file = fileOf([{ bbox: [1, 1, 2, 2] }]);
    const { importId } = await importFile(server, bob, datasetId, file);
    expect((await uploadImport(stranger, datasetId, file)).status).toBe(404);
    const { id: imageId } = await imageFile("a.jpg");
    const paths = [`dataset/${datasetId}/coco`, `dataset/${datasetId}/exports`, `image/${imageId}/coco`];
    for (const path of [...paths, `dataset/${datasetId}/export`]) {
      expect((await bob.get(path)).status, path).toBe(403);
      expect((await stranger.get(path)).status, path).toBe(404);
      expect((await server.visitor().get(path)).status, path).toBe(401);
    }
    for (const path of paths) expect((await ann.get(path)).status, path).toBe(200);
    expect((await stranger.get(`dataset/${datasetId}/imports`)).status).toBe(404);
    expect((await bob.get(`dataset/${datasetId}/imports`)).body).toMatchObject([{ id: importId, user: "bob" }]);
    expect((await stranger.delete(`dataset/${datasetId}/import/${importId}`)).status).toBe(404);
    const elsewhere = await seedDataset(server.db, { ownerId: ann.id });
    expect((await ann.delete(`dataset/${elsewhere}/import/${importId}`)).status).toBe(404);
  });

  it("an import is undone as a whole, except for annotations changed since", async () => {
    const name = fresh("undone");
    const file = fileOf([{ bbox: [1, 1, 2, 2] }, { bbox: [1, 1, 3, 3] }, { image_id: 2, bbox: [1, 1, 4, 4] }], {
      categories: [
        { id: 7, name },
        { id: 8, name: `${name} unused` },
      ],
    });
    const { importId, report } = await bring(file);
    const [changed, ...others] = await rows();
    await server.db
      .updateTable("annotations")
      .set({ revision: 2 })
      .where("id", "=", changed?.id ?? 0)
      .execute();
    const started = await ann.delete(`dataset/${datasetId}/import/${importId}`);
    const { row, log } = await runQueuedTask(server, started.body.id);
    expect([row.state, log.at(-1)]).toEqual([
      "done",
      "INFO 2 annotations removed, 1 kept because they were changed after the import",
    ]);
    expect(row.result).toMatchObject({ removed: 2, kept: 1, kept_annotations: [changed?.id] });
    expect(row.result).toMatchObject({ categories_removed: [`${name} unused`] });
    expect(await imageFile("a.jpg")).toMatchObject({ num_annotations: 1, revision: 3, reload_revision: 3 });
    expect(await imageFile("sub/b.jpg")).toMatchObject({ num_annotations: 0, annotated: false, revision: 3 });
    expect((await exportOf(ann, datasetId)).annotations).toHaveLength(1);
    const again = await bring(file);
    expect(again.report).toMatchObject({ created: 2, matched: 1 });
    expect(again.report.categories.map(({ id }: { id: number }) => id)).toEqual(
      report.categories.map(({ id }: { id: number }) => id),
    );
    expect(others).toHaveLength(2);
  });

  it("undoing an import restores categories and images", async () => {
    const [found, trashed, used] = [fresh("found"), fresh("trashed"), fresh("used")];
    for (const name of [found, used]) expect((await ann.post("category/", { name })).status).toBe(200);
    const first = await bring(fileOf([], { categories: [{ id: 1, name: trashed }] }));
    await runQueuedTask(server, (await ann.delete(`dataset/${datasetId}/import/${first.importId}`)).body.id);
    const before = [await exportOf(ann, datasetId, "?with_empty_images=1"), await listed()];
    const { importId, report } = await bring(
      fileOf([{ bbox: [1, 1, 2, 2] }], {
        images: images.map((image) => ({ ...image, license: 1, coco_url: "http://example.org" })),
        categories: [found, trashed, used].map((name, i) => ({ id: i + 7, name, synset: "x" })),
        licenses: [{ id: 1 }],
      }),
    );
    expect(report.categories.map(({ how }: { how: string }) => how)).toEqual(["found", "restored", "found"]);
    await server.db
      .updateTable("images")
      .set({ labels: [report.categories[2].id] })
      .where("dataset_id", "=", datasetId)
      .execute();
    const undo = async (id: number) =>
      runQueuedTask(server, (await ann.delete(`dataset/${datasetId}/import/${id}`)).body.id);
    await undo(importId);
    expect(await listed()).toEqual([report.categories[2].id]);
    expect((await categoryOf(report.categories[1].id)).deleted_at).not.toBeNull();
    await server.db.updateTable("images").set({ labels: [] }).where("dataset_id", "=", datasetId).execute();
    await undo(importId);
    const after = [await exportOf(ann, datasetId, "?with_empty_images=1"), await listed()];
    const undated = (state: unknown) => JSON.stringify(state).replace(/"date_created":"[^"]*"/, "");
    expect(undated(after)).toBe(undated(before));
  });

  it("undoing an import removes keypoints that it added to a category, unless they are used or were changed", async () => {
    const labelsOf = async (id: number) => (await categoryOf(id)).keypoints.labels.map(({ name }) => name);
    const undo = async (id: number) =>
      runQueuedTask(server, (await ann.delete(`dataset/${datasetId}/import/${id}`)).body.id);
    for (const meddle of ["not", "used", "changed"]) {
      const { id, name } = (await ann.post("category/", { name: fresh() })).body;
      const categories = [{ id: 7, name, keypoints: ["a", "b"], skeleton: [[1, 2]] }];
      const { importId, report } = await bring(fileOf([{ keypoints: [1, 1, 2, 3, 3, 2] }], { categories }));
      expect([report.categories[0].how, await labelsOf(id)]).toEqual(["defined", ["a", "b"]]);
      const keypoints = [5, 5, 2, 0, 0, 0];
      const { id: image_id } = await imageFile("a.jpg");
      if (meddle === "used") await ann.post("annotation/", { image_id, category_id: id, keypoints });
      if (meddle === "changed") await ann.put(`category/${id}`, { color: "#123456" });
      await undo(importId);
      await undo(importId);
      expect(await labelsOf(id), meddle).toEqual(meddle === "not" ? [] : ["a", "b"]);
      if (meddle === "not") expect((await bring(fileOf([], { categories }))).report.categories[0].how).toBe("defined");
    }
  });

  it("a failed import restores categories", async () => {
    const trashed = fresh("trashed");
    const first = await bring(fileOf([], { categories: [{ id: 1, name: trashed }] }));
    await runQueuedTask(server, (await ann.delete(`dataset/${datasetId}/import/${first.importId}`)).body.id);
    const plain = (await ann.post("category/", { name: fresh() })).body;
    const categories = [
      { id: 7, name: plain.name, keypoints: ["a", "b"] },
      { id: 8, name: trashed },
    ];
    // The second pass is the first to parse the annotations.
    const file = JSON.stringify(fileOf([{ keypoints: [1, 1, 2, 3, 3, 2] }], { categories })).replace("1,1,2", "1,01,2");
    expect((await bring(file)).row.state).toBe("failed");
    expect((await categoryOf(plain.id)).keypoints.labels).toEqual([]);
    expect((await categoryOf(first.report.categories[0].id)).deleted_at).not.toBeNull();
    expect(await listed()).toEqual([]);
  });

  it("keeps image keys that another import also set", async () => {
    const keyed = { images: images.map((image) => ({ ...image, license: 1 })) };
    const one = await bring(fileOf([], keyed));
    const two = await bring(fileOf([], keyed));
    for (const [{ importId }, extra] of [
      [one, { license: 1 }],
      [two, {}],
    ] as const) {
      await runQueuedTask(server, (await ann.delete(`dataset/${datasetId}/import/${importId}`)).body.id);
      expect((await imageFile("a.jpg")).extra).toEqual(extra);
    }
  });

  it("an import can be cancelled until it is complete, and then leaves nothing", async () => {
    const name = fresh("cancelled");
    const started = await uploadImport(
      ann,
      datasetId,
      fileOf(
        Array.from({ length: 3000 }, () => ({ bbox: [1, 1, 2, 2] })),
        { categories: [{ id: 7, name }] },
      ),
    );
    const row = await server.db
      .selectFrom("imports")
      .selectAll()
      .where("task_id", "=", started.body.id)
      .executeTakeFirstOrThrow();
    const task = await server.db
      .selectFrom("tasks")
      .selectAll()
      .where("id", "=", started.body.id)
      .executeTakeFirstOrThrow();
    const controller = new AbortController();
    let stored = 0;
    const progress = async (percent: number) => {
      if (percent < 50 || controller.signal.aborted) return;
      controller.abort(new Error("cancelled"));
    };
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined, keepResult: () => undefined };
    const helpers = { taskId: task.id, attempt: 1, signal: controller.signal, progress, ...log };
    await server.db.updateTable("tasks").set({ cancel_requested: true }).where("id", "=", task.id).execute();
    await expect(taskKinds.import(task.payload, { ...server.services, ...helpers })).rejects.toThrow("cancelled");
    stored = (await rows()).length;
    expect(stored).toBe(0);
    expect(await server.db.selectFrom("categories").select("id").where("name", "=", name).execute()).toEqual([]);
    expect((await ann.get(`dataset/${datasetId}/imports`)).body).toMatchObject([{ id: row.id, state: "failed" }]);
    await runQueuedTask(server, task.id);
    expect(await rows()).toHaveLength(0);
  });

  it("an import that is cancelled before it runs has failed at once", async () => {
    const { body } = await uploadImport(ann, datasetId, fileOf([{ bbox: [1, 1, 2, 2] }]));
    expect((await ann.post(`tasks/${body.id}/cancel`)).status).toBe(200);
    expect((await ann.get(`dataset/${datasetId}/imports`)).body).toMatchObject([{ state: "failed" }]);
  });

  it("an import or undo that was cancelled shortly before its server died is finished by the next one", async () => {
    const file = fileOf(Array.from({ length: 30 }, (_, n) => ({ bbox: [n, 1, 2, 2] })));
    const { body } = await uploadImport(ann, datasetId, file);
    await runQueuedTask(server, body.id);
    const { id: importId } = (await ann.get(`dataset/${datasetId}/imports`)).body[0];
    const visible = async () => (await rows()).filter((row) => row.visible && !row.deleted_at).length;
    /** Runs a task as the next server does: the last one died after the user had pressed Cancel. */
    const afterCancelAndKill = async (id: number) => {
      const dead = { state: "queued" as const, attempts: 1, cancel_requested: true, finished_at: null };
      await server.db.updateTable("tasks").set(dead).where("id", "=", id).execute();
      return (await runQueuedTask(server, id)).row.state;
    };
    await server.db.updateTable("annotations").set({ visible: false }).where("import_id", "=", importId).execute();
    expect(await afterCancelAndKill(body.id)).toBe("done");
    expect(await visible()).toBe(30);

    const undo = (await ann.delete(`dataset/${datasetId}/import/${importId}`)).body.id;
    await server.db.updateTable("imports").set({ state: "undone" }).where("id", "=", importId).execute();
    expect(await afterCancelAndKill(undo)).toBe("done");
    expect(await visible()).toBe(0);

    const stopped = await uploadImport(ann, datasetId, fileOf([{ bbox: [5, 5, 2, 2] }]));
    expect(await afterCancelAndKill(stopped.body.id)).toBe("cancelled");
    const [newest] = (await ann.get(`dataset/${datasetId}/imports`)).body;
    expect(newest.state).toBe("failed");
    expect(await visible()).toBe(0);
  });

  it("an import, undo or restoring that is cancelled while it is in the queue again is finished", async () => {
    const file = fileOf(Array.from({ length: 30 }, (_, n) => ({ bbox: [n, 1, 2, 2] })));
    const { body } = await uploadImport(ann, datasetId, file);
    await runQueuedTask(server, body.id);
    const { id: importId } = (await ann.get(`dataset/${datasetId}/imports`)).body[0];
    const visible = async () => (await rows()).filter((row) => row.visible && !row.deleted_at).length;
    /** Runs a task that a stopping server has put back into the queue, and that its user then cancels. */
    const afterRequeueAndCancel = async (id: number) => {
      const requeued = { state: "queued" as const, attempts: 0, started_at: new Date(), finished_at: null };
      await server.db.updateTable("tasks").set(requeued).where("id", "=", id).execute();
      expect((await ann.post(`tasks/${id}/cancel`)).body).toEqual({ success: true });
      return (await runQueuedTask(server, id)).row.state;
    };
    await server.db.updateTable("annotations").set({ visible: false }).where("import_id", "=", importId).execute();
    expect(await afterRequeueAndCancel(body.id)).toBe("done");
    expect(await visible()).toBe(30);

    const undo = (await ann.delete(`dataset/${datasetId}/import/${importId}`)).body.id;
    await server.db.updateTable("imports").set({ state: "undone" }).where("id", "=", importId).execute();
    expect(await afterRequeueAndCancel(undo)).toBe("done");
    expect(await visible()).toBe(0);

    const { body: restored } = await ann.post(`undo/?id=${importId}&instance=import`);
    expect(await afterRequeueAndCancel(restored.task.id)).toBe("done");
    expect(await visible()).toBe(30);

    const stopped = await uploadImport(ann, datasetId, fileOf([{ bbox: [5, 5, 2, 2] }]));
    expect(await afterRequeueAndCancel(stopped.body.id)).toBe("cancelled");
    expect((await ann.get(`dataset/${datasetId}/imports`)).body[0].state).toBe("failed");
    expect(await visible()).toBe(30);
  });

  it("an import continues exactly where it was interrupted, and never shows partial results", async () => {
    const file = fileOf(
      Array.from({ length: 4200 }, (_, n) => ({ image_id: 1 + (n % 2), bbox: [n % 90, 1, 1 + (n % 7), 1 + n / 4200] })),
    );
    for (const cut of [1, 12, 40, 70, 84, 92, 99]) {
      const { body } = await uploadImport(ann, datasetId, file);
      const task = await server.db.selectFrom("tasks").selectAll().where("id", "=", body.id).executeTakeFirstOrThrow();
      const controller = new AbortController();
      const progress = (percent: number) => {
        if (percent >= cut) controller.abort(new Error("cut off"));
      };
      const log = { info: () => undefined, warn: () => undefined, error: () => undefined, keepResult: () => undefined };
      const helpers = { taskId: task.id, attempt: 1, signal: controller.signal, progress, ...log };
      const ended = taskKinds.import(task.payload, { ...server.services, ...helpers }).then(
        () => "done",
        (error: Error) => error.message,
      );
      expect(await ended).toBe(cut < 85 ? "cut off" : "done");
      if (cut < 85) expect((await rows()).filter((row) => row.visible)).toEqual([]);
      const { row } = await runQueuedTask(server, body.id);
      expect([row.state, row.result], `cut off at ${cut} %`).toMatchObject(["done", { created: 4200, matched: 0 }]);
      const all = await rows();
      expect([all.length, all.every((one) => one.visible)]).toEqual([4200, true]);
      expect(new Set(all.map((one) => one.import_item)).size).toBe(4200);
      await server.db
        .deleteFrom("annotations")
        .where(
          "id",
          "in",
          all.map(({ id }) => id),
        )
        .execute();
      await server.db.updateTable("images").set({ num_annotations: 0, annotated: false }).execute();
    }
  });

  it("an import is cleaned up at a server's start after its task was given up", async () => {
    const { body } = await uploadImport(ann, datasetId, fileOf([{ bbox: [1, 1, 2, 2] }]));
    const [image] = [await imageFile("a.jpg")];
    const task = { task_id: body.id };
    const { id: importId } = await server.db
      .selectFrom("imports")
      .select("id")
      .where("task_id", "=", body.id)
      .executeTakeFirstOrThrow();
    const { id: category_id } = (await ann.post("category/", { name: fresh() })).body;
    const hidden = (import_item: number) => ({
      ...{ image_id: image.id, category_id, import_id: importId, import_item },
      ...{ visible: false, isbbox: true, color: "#000000" },
    });
    await server.db
      .insertInto("annotations")
      .values([hidden(0), hidden(1)])
      .execute();
    await server.db.updateTable("tasks").set({ state: "failed" }).where("id", "=", task.task_id).execute();
    await server.db.updateTable("imports").set({ state: "complete" }).where("id", "=", importId).execute();
    await tidyTransfers(server.services, { alone: true });
    expect(await imageFile("a.jpg")).toMatchObject({ num_annotations: 2, annotated: true });
    expect(await server.services.files.transfers.listUploads()).toEqual([]);

    await server.db.updateTable("annotations").set({ visible: false }).where("import_id", "=", importId).execute();
    await server.db.updateTable("imports").set({ state: "running", report: "{}" }).where("id", "=", importId).execute();
    await tidyTransfers(server.services, { alone: true });
    expect(await rows()).toEqual([]);
  });
});
