import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { taskKinds } from "../../../server/tasks";
import { rotatedRing } from "../../../shared/geometry/forms/rotatedBox";
import { type ExportedCoco, exportOf, importFile, runQueuedTask, seedImages } from "../../support/coco";
import { describeOnDatabases } from "../../support/databases";
import { seedDataset } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

const HOLE = {
  rings: [
    [
      [1, 1, 31, 1, 31, 31, 1, 31],
      [5, 5, 9, 5, 9, 9, 5, 9],
    ],
  ],
};

describeOnDatabases("COCO export", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let datasetId: number;
  let made = 0;

  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    bob = await server.user("bob");
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    const name = `Hühner "A/B" ${++made}`;
    datasetId = await seedDataset(server.db, { name, ownerId: ann.id, members: [bob.id] });
    await seedImages(server, datasetId, [
      { file_name: "a.jpg", width: 100, height: 80 },
      { file_name: "sub/b.jpg", width: 100, height: 80 },
      { file_name: "empty.jpg", width: 100, height: 80 },
    ]);
    await importFile(server, ann, datasetId, {
      images: [
        { id: 1, file_name: "a.jpg" },
        { id: 2, file_name: "sub/b.jpg" },
      ],
      categories: [
        { id: 1, name: `one ${made}` },
        { id: 2, name: `two ${made}` },
      ],
      annotations: [
        { image_id: 1, category_id: 1, bbox: [1, 1, 2, 2] },
        { image_id: 2, category_id: 2, bbox: [1, 1, 3, 3] },
      ],
    });
  });

  const categoryIds = async () => (await exportOf(ann, datasetId)).categories.map(({ id }) => Number(id));
  const imageId = async (path: string) =>
    (
      await server.db
        .selectFrom("images")
        .select("id")
        .where("dataset_id", "=", datasetId)
        .where("path", "=", path)
        .executeTakeFirstOrThrow()
    ).id;
  async function draw(shape: unknown, more: object = {}) {
    const [category_id = 0] = await categoryIds();
    const row = {
      image_id: await imageId("a.jpg"),
      category_id,
      shape: shape ? JSON.stringify(shape) : null,
      color: "#123456",
    };
    await server.db
      .insertInto("annotations")
      .values({ ...row, area: 5, ...more })
      .execute();
  }
  const started = async (query = "") => (await ann.get(`dataset/${datasetId}/export${query}`)).body;
  async function exported(query = ""): Promise<{ id: number; tags: string[]; bytes: number }> {
    const { row } = await runQueuedTask(server, (await started(query)).id);
    expect(row.state).toBe("done");
    return (await ann.get(`dataset/${datasetId}/exports`)).body[0];
  }

  it("writes images that have annotations, and empty ones when asked", async () => {
    const paths = async (query: string) => (await exportOf(ann, datasetId, query)).images.map((one) => one.file_name);
    expect(await paths("")).toEqual(["a.jpg", "sub/b.jpg"]);
    expect(await paths("?with_empty_images=false&categories=")).toEqual(["a.jpg", "sub/b.jpg"]);
    expect(await paths("?with_empty_images=True")).toEqual(["a.jpg", "sub/b.jpg", "empty.jpg"]);
  });

  it("writes the chosen categories, and none of another dataset", async () => {
    const [one, two] = await categoryIds();
    const { id: foreign } = (await bob.post("category/", { name: `foreign ${made}` })).body;
    const out = await exportOf(ann, datasetId, `?categories=${two},${foreign},99999`);
    expect(out.categories.map(({ id }) => id)).toEqual([two]);
    expect(out.images.map(({ file_name }) => file_name)).toEqual(["sub/b.jpg"]);
    expect(out.annotations.map(({ bbox }) => bbox)).toEqual([[1, 1, 3, 3]]);
    for (const none of [foreign, 2 ** 31, 9_999_999_999])
      expect((await exportOf(ann, datasetId, `?categories=${none}`)).annotations).toEqual([]);
    expect((await ann.get(`dataset/${datasetId}/coco?categories=x`)).status).toBe(400);
    expect((await ann.get(`dataset/${datasetId}/export?categories=1,x`)).status).toBe(400);
    await server.db
      .deleteFrom("dataset_categories")
      .where("category_id", "=", one ?? 0)
      .execute();
    expect((await exportOf(ann, datasetId)).annotations).toHaveLength(2);
    await server.db
      .updateTable("categories")
      .set({ deleted_at: new Date() })
      .where("id", "=", one ?? 0)
      .execute();
    const rest = await exportOf(ann, datasetId);
    expect([rest.images.length, rest.categories.length, rest.annotations.length]).toEqual([1, 1, 1]);
  });

  it("skips annotations that are deleted, hidden or cannot be drawn", async () => {
    await draw(HOLE, { deleted_at: new Date() });
    await draw(HOLE, { visible: false });
    await draw(null, { area: 0 });
    await draw(null, { area: 0, keypoints: "[]" });
    expect((await exportOf(ann, datasetId)).annotations).toHaveLength(2);
  });

  it("writes drawn shapes as polygons, as RLE if there is a hole, and all as polygons when asked", async () => {
    await draw({ rings: [[[1, 1, 9, 1, 9, 9]], [[20, 20, 29, 20, 29, 29]]] });
    await draw(HOLE);
    const [plain, hole] = (await exportOf(ann, datasetId)).annotations.filter(({ color }) => color === "#123456");
    expect(plain?.segmentation).toEqual([
      [1, 1, 9, 1, 9, 9],
      [20, 20, 29, 20, 29, 29],
    ]);
    expect(hole?.segmentation).toEqual({ size: [80, 100], counts: expect.any(String) });
    expect(Object.keys(hole ?? {}).sort()).toEqual(
      [
        "area",
        "bbox",
        "category_id",
        "color",
        "id",
        "image_id",
        "isbbox",
        "iscrowd",
        "metadata",
        "segmentation",
      ].sort(),
    );
    const polygons = await exportOf(ann, datasetId, "?segmentation=polygon");
    for (const { segmentation } of polygons.annotations) expect(Array.isArray(segmentation ?? [])).toBe(true);
    const masks = await exportOf(ann, datasetId, "?segmentation=rle");
    const withShape = masks.annotations.filter(({ segmentation }) => segmentation !== undefined);
    expect(withShape).toHaveLength(2);
    for (const { segmentation } of withShape)
      expect(segmentation).toEqual({ size: [80, 100], counts: expect.any(String) });
    expect((await ann.get(`dataset/${datasetId}/coco?segmentation=mask`)).status).toBe(400);
  });

  it("writes drawn lines as polygons without area in every form, and reads them again unchanged", async () => {
    const [category_id] = await categoryIds();
    const [uuid, target] = [randomUUID(), randomUUID()];
    const ring = [10.25, 20, 40, 20, 70.5, 60, 70.5, 60, 40, 20];
    const edit = { uuid, image_id: await imageId("a.jpg"), base: 0, subject: "annotation", target, action: "create" };
    const after = { category_id, rings: [[ring]], color: "#123456" };
    const sent = await ann.post("annotator/edits", { client: "tab-of-ann", edits: [{ ...edit, before: {}, after }] });
    expect(sent.body.answers).toMatchObject([{ status: "applied" }]);
    const line = { segmentation: [ring], area: 0, bbox: [10.25, 20, 60.25, 40], iscrowd: 0 };
    const lineOf = ({ annotations }: ExportedCoco) => annotations.find(({ color }) => color === "#123456");
    for (const query of ["", "?segmentation=polygon", "?segmentation=rle"])
      expect(lineOf(await exportOf(ann, datasetId, query)), query).toMatchObject(line);
    const other = await seedDataset(server.db, { name: `again ${made}`, ownerId: ann.id });
    await seedImages(server, other, [{ file_name: "a.jpg", width: 100, height: 80 }]);
    const { id: _, ...item } = lineOf(await exportOf(ann, datasetId)) as { id: unknown; image_id: unknown };
    const file = { images: [{ id: item.image_id, file_name: "a.jpg" }], categories: [{ id: category_id, name: "x" }] };
    const { report } = await importFile(server, ann, other, { ...file, annotations: [item] } as never);
    expect(report).toMatchObject({ created: 1, skipped: {} });
    expect(lineOf(await exportOf(ann, other))).toMatchObject(line);
  });

  it("writes the rotation of drawn boxes, and of no imported shape", async () => {
    const rings = [[rotatedRing({ box: [20, 20, 40, 20], degrees: 30 })]];
    await draw({ rings }, { color: "#000001" });
    await draw({ rings }, { color: "#000002", attributes: JSON.stringify({ rotation: 12, color: "red" }) });
    await draw({ rings: [[[1, 1, 9, 1, 9, 9]]] }, { color: "#000003", attributes: JSON.stringify({ rotation: 12 }) });
    await draw(rings[0], { color: "#000004", attributes: JSON.stringify({ rotation: 29.9 }) });
    await draw(rings[0], { color: "#000005" });
    const { annotations } = await exportOf(ann, datasetId);
    const drawn = annotations.filter(({ color }) => String(color).startsWith("#00000"));
    expect(drawn.map(({ attributes }) => attributes)).toEqual([
      { rotation: 30 },
      { rotation: 30, color: "red" },
      { rotation: 0 },
      { rotation: 29.9 },
      undefined,
    ]);
  });

  it("reads a box with a rotation as its four corners", async () => {
    await importFile(server, ann, datasetId, {
      images: [{ id: 1, file_name: "a.jpg" }],
      categories: [{ id: 1, name: `one ${made}` }],
      annotations: [
        { image_id: 1, category_id: 1, bbox: [20, 20, 40, 20], area: 800, attributes: { rotation: 90 } },
        { image_id: 1, category_id: 1, bbox: [20, 20, 40, 20], area: 800, attributes: { rotation: 0 } },
      ],
    } as never);
    const { annotations } = await exportOf(ann, datasetId);
    const [turned, upright] = annotations.filter(({ area }) => area === 800);
    expect(turned).toMatchObject({ bbox: [30, 10, 20, 40], area: 800, attributes: { rotation: 90 } });
    expect(turned?.segmentation).toEqual([[30, 10, 50, 10, 50, 50, 30, 50]]);
    expect(upright).toMatchObject({ bbox: [20, 20, 40, 20], isbbox: true, attributes: { rotation: 0 } });
  });

  it("writes one image's COCO with the categories that it has", async () => {
    await draw(HOLE);
    const { body } = await ann.get(`image/${await imageId("a.jpg")}/coco`);
    const all = await exportOf(ann, datasetId);
    expect(Object.keys(body)).toEqual(["images", "categories", "annotations"]);
    expect(body.images).toEqual(all.images.slice(0, 1));
    expect(body.categories).toEqual(all.categories.slice(0, 1));
    expect(body.annotations).toEqual(all.annotations.filter(({ image_id }) => image_id === body.images[0].id));
    const empty = (await ann.get(`image/${await imageId("empty.jpg")}/coco`)).body;
    expect([empty.images.length, empty.categories, empty.annotations]).toEqual([1, [], []]);
  });

  it("creates a permanent file with a name and tags, and one task for equal requests", async () => {
    const one = await started();
    const [two, other] = await Promise.all([started("?categories="), started("?with_empty_images=1")]);
    expect(one).toEqual({ id: expect.any(Number), name: expect.any(String), celery_id: String(one.id) });
    // The second one must not be cancelled for a request that was taken back.
    expect(two).toEqual({ ...one, existing: true });
    expect(other.id).not.toBe(one.id);
    await runQueuedTask(server, other.id);
    const { row, log } = await runQueuedTask(server, one.id);
    const [newest, first] = (await ann.get(`dataset/${datasetId}/exports`)).body;
    expect(new Set([newest.id, first.id]).has((row.result as { export_id: number }).export_id)).toBe(true);
    expect(log[0]).toBe("INFO Exporting in the format COCO");
    expect([newest.tags, first.tags]).toContainEqual(["COCO", `one ${made}`, `two ${made}`]);
    expect([newest.tags, first.tags]).toContainEqual(["COCO", "with unannotated images", `one ${made}`, `two ${made}`]);
    for (const path of [`export/${newest.id}/download`, `dataset/${datasetId}/${newest.id}`]) {
      const { headers, text, status } = await ann.get(path);
      expect([status, Buffer.byteLength(text)]).toEqual([200, newest.bytes]);
      expect(headers.get("content-disposition")).toBe(
        `attachment; filename="H_hner \\"A-B\\" ${made}-${newest.id}.json"; filename*=UTF-8''H%C3%BChner%20%22A-B%22%20${made}-${newest.id}.json`,
      );
      expect((JSON.parse(text) as ExportedCoco).annotations).toHaveLength(2);
    }
  });

  it("an export is for the owner alone, and never another dataset's under one's own id", async () => {
    const { id } = await exported();
    const stranger = await server.user(`stranger${made}`);
    const own = await seedDataset(server.db, { ownerId: stranger.id });
    for (const path of [`export/${id}`, `export/${id}/download`]) {
      expect((await bob.get(path)).status).toBe(403);
      expect((await stranger.get(path)).status).toBe(404);
    }
    expect((await stranger.get(`dataset/${own}/${id}`)).status).toBe(404);
    expect((await bob.get(`dataset/${datasetId}/${id}`)).status).toBe(403);
    expect([(await bob.delete(`export/${id}`)).status, (await stranger.delete(`export/${id}`)).status]).toEqual([
      403, 404,
    ]);
    expect((await ann.get(`export/${id}`)).body).toMatchObject({ id, dataset_id: datasetId, categories: [] });
    expect((await ann.delete(`export/${id}`)).body).toEqual({ success: true });
    expect((await ann.get(`export/${id}/download`)).status).toBe(404);
    expect((await ann.get("export/999999")).status).toBe(404);
  });

  it("reports a missing file", async () => {
    const { id } = await exported();
    const folder = join(server.env.DATA_DIR, "exports");
    for (const name of await readdir(folder)) await rm(join(folder, name));
    expect((await ann.get(`export/${id}/download`)).status).toBe(404);
    expect((await ann.delete(`export/${id}`)).status).toBe(200);
  });

  it("leaves neither row nor file when interrupted, and one of each when it runs again", async () => {
    const { id } = await started();
    const task = await server.db.selectFrom("tasks").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const controller = new AbortController();
    controller.abort(new Error("cut off"));
    const log = {
      progress: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
      keepResult: () => undefined,
    };
    const helpers = { taskId: id, attempt: 1, signal: controller.signal, ...log };
    await expect(taskKinds.export(task.payload, { ...server.services, ...helpers })).rejects.toThrow("cut off");
    expect((await ann.get(`dataset/${datasetId}/exports`)).body).toEqual([]);
    await runQueuedTask(server, id);
    const whole = { ...helpers, signal: new AbortController().signal };
    await taskKinds.export(task.payload, { ...server.services, ...whole });
    expect((await ann.get(`dataset/${datasetId}/exports`)).body).toHaveLength(1);
  });
});
