import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { tidyTransfers } from "../../../../server/features/imports/tidyTransfers";
import { importFile, runQueuedTask, seedImages, uploadImport } from "../../../support/coco";
import { describeOnDatabases } from "../../../support/databases";
import { seedCategory, seedDataset } from "../../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

const SQUARE = [10, 10, 20, 10, 20, 20, 10, 20];
const TABLES = ["categories", "dataset_categories", "images", "annotations", "imports", "edit_history"] as const;

describeOnDatabases("a dry run of a COCO import", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let datasetId: number;
  let number = 0;

  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    bob = await server.user("bob");
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    number++;
    const known = await seedCategory(server.db, ann.id, `known ${number}`);
    datasetId = await seedDataset(server.db, { ownerId: ann.id, members: [bob.id], categories: [known] });
    await seedImages(server, datasetId, [
      { file_name: "a.jpg", width: 100, height: 80 },
      { file_name: "b.jpg", width: 100, height: 80 },
      { file_name: "x/same.jpg", width: 100, height: 80 },
      { file_name: "y/same.jpg", width: 100, height: 80 },
    ]);
  });

  /** A sample of everything: new, known, missing, ambiguous, resized and invalid. */
  const file = () => ({
    images: [
      { id: 1, file_name: "a.jpg", width: 100, height: 80 },
      { id: 2, file_name: "b.jpg", width: 50, height: 80 },
      { id: 3, file_name: "gone.jpg" },
      { id: 4, file_name: "same.jpg" },
      { file_name: "no id.jpg" },
    ],
    categories: [
      { id: 1, name: `Known ${number}` },
      { id: 2, name: `new ${number}`, keypoints: ["nose"] },
      { id: 3, name: `known ${number}`, keypoints: ["eye"] },
      { id: 4, name: `NEW ${number}`, keypoints: ["tail"] },
      { id: 5 },
    ],
    annotations: [
      { image_id: 1, category_id: 1, segmentation: [SQUARE] },
      { image_id: 1, category_id: 2, keypoints: [1, 2, 2] },
      { image_id: 1, category_id: 4, bbox: [1, 2, 3, 4] },
      { image_id: 2, category_id: 1, segmentation: [SQUARE] },
      { image_id: 3, category_id: 1, segmentation: [SQUARE] },
      { image_id: 4, category_id: 1, segmentation: [SQUARE] },
      { image_id: 1, category_id: 5, segmentation: [SQUARE] },
      { image_id: 1, category_id: 1, segmentation: [[1, 2, 3]] },
      7,
    ],
  });
  async function dryRun(content: unknown, user = ann) {
    const body = new FormData();
    body.append("coco", new Blob([typeof content === "string" ? content : JSON.stringify(content)]), "coco.json");
    const { status, body: task, text } = await user.request("POST", `dataset/${datasetId}/coco?dry_run=true`, { body });
    expect(status, text).toBe(200);
    return { id: task.id as number, ...(await runQueuedTask(server, task.id)) };
  }
  const everything = async () => {
    const rows: unknown[] = [];
    for (const table of TABLES) rows.push(await server.db.selectFrom(table).selectAll().execute());
    return rows;
  };
  /** Returns true if the file of a dry run still exists. */
  async function isKept(task: number): Promise<boolean> {
    const row = await server.db.selectFrom("tasks").select("payload").where("id", "=", task).executeTakeFirstOrThrow();
    return (await server.services.files.transfers.uploadBytes(String(row.payload.upload))) > 0;
  }
  const startImport = (user: TestUser, task: number, dataset = datasetId) =>
    user.post(`dataset/${dataset}/coco/${task}`);

  it("a dry run reports what the import will do, and stores nothing", async () => {
    const before = await everything();
    const { id, row } = await dryRun(file());
    expect(row.state).toBe("done");
    expect(await everything()).toEqual(before);
    const report = row.result as unknown as Record<string, unknown>;
    expect(report).toMatchObject({
      dry_run: true,
      file_name: "coco.json",
      created: 3,
      matched: 0,
      images: { matched: 1, "size differs": 1, "not in the dataset": 1, "ambiguous file name": 1, "has no id": 1 },
      category_notes: { "has no usable name": 1 },
    });
    const hows = (report.categories as { name: string; how: string }[]).map(({ how }) => how);
    expect(hows).toEqual(["found", "created", "defined", "own"]);

    const started = await startImport(ann, id);
    expect(started.body).toMatchObject({ id: expect.any(Number), celery_id: expect.any(String) });
    const imported = await runQueuedTask(server, started.body.id);
    const done = imported.row.result as unknown as Record<string, unknown>;
    for (const key of ["created", "matched", "skipped", "notes", "images", "category_notes", "file_notes", "examples"])
      expect(done[key], key).toEqual(report[key]);
    expect((done.categories as { how: string }[]).map(({ how }) => how)).toEqual(hows);
    expect(await isKept(id)).toBe(false);
    expect((await startImport(ann, id)).status).toBe(409);
  });

  it("a dry run recognises annotations that exist already", async () => {
    await importFile(server, ann, datasetId, file() as never);
    const before = await everything();
    const { row } = await dryRun(file());
    expect(row.result).toMatchObject({ created: 0, matched: 3 });
    expect(await everything()).toEqual(before);
  });

  it("a dry run fails like the import would, and keeps no file", async () => {
    for (const bad of ["{}", '{"images": [', '{"annotations": 5}']) {
      const { row, log, id } = await dryRun(bad);
      expect([row.state, log.at(-1)?.startsWith("ERROR ")]).toEqual(["failed", true]);
      expect([await isKept(id), (await startImport(ann, id)).status]).toEqual([false, 409]);
    }
    const body = new FormData();
    body.append("coco", new Blob(["PK"]), "coco.zip");
    expect((await ann.request("POST", `dataset/${datasetId}/coco?dry_run=1`, { body })).status).toBe(400);
  });

  it("a dry run asks which pixels the file was made for if nothing proves it, and the import follows the choice", async () => {
    await seedImages(server, datasetId, [{ file_name: "turned.jpg", width: 300, height: 200, orientation: 3 }]);
    const { id, row } = await dryRun({
      images: [{ id: 1, file_name: "turned.jpg", width: 300, height: 200 }],
      categories: [{ id: 1, name: `pixels ${number}` }],
      annotations: [{ image_id: 1, category_id: 1, segmentation: [[10, 20, 60, 20, 60, 40, 10, 40]] }],
    });
    expect(row.result).toMatchObject({ pixels: { made_for: null, turned: 0, unproven: 1 } });
    const wrong = await ann.post(`dataset/${datasetId}/coco/${id}?pixels=sideways`);
    expect(wrong.status).toBe(400);
    const { body } = await ann.post(`dataset/${datasetId}/coco/${id}?pixels=stored`);
    const { row: done } = await runQueuedTask(server, body.id);
    expect(done.result).toMatchObject({ created: 1, pixels: { made_for: "stored", turned: 1, unproven: 0 } });
    const { annotations } = (await ann.get(`dataset/${datasetId}/coco`)).body;
    expect(annotations[0].segmentation).toEqual([[290, 180, 240, 180, 240, 160, 290, 160]]);
  });

  it("a choice of pixels is refused while the same file is imported with another one", async () => {
    await seedImages(server, datasetId, [{ file_name: "turned.jpg", width: 300, height: 200, orientation: 3 }]);
    const turned = {
      images: [{ id: 1, file_name: "turned.jpg", width: 300, height: 200 }],
      categories: [{ id: 1, name: `choices ${number}` }],
      annotations: [{ image_id: 1, category_id: 1, segmentation: [[10, 20, 60, 20, 60, 40, 10, 40]] }],
    };
    const [{ id: first }, { id: second }] = [await dryRun(turned), await dryRun(turned, bob)];
    const choose = (user: TestUser, id: number, pixels: string) =>
      user.post(`dataset/${datasetId}/coco/${id}?pixels=${pixels}`);
    const kept = await choose(ann, first, "upright");
    const listUploads = async () => (await server.services.files.transfers.listUploads()).map(({ name }) => name);
    const before = [await everything(), await listUploads()];
    const refusals = [
      await choose(bob, second, "stored"),
      await uploadImport(bob, datasetId, turned, { query: "?pixels=stored" }),
    ];
    const message =
      "This file is being imported with another choice of pixels. Wait for that import, and undo it before you import the file again.";
    expect(refusals.map(({ status, body }) => [status, body.message])).toEqual([
      [409, message],
      [409, message],
    ]);
    expect([await everything(), await listUploads()]).toEqual(before);
    const followers = server.db.selectFrom("task_followers").select("user_id").where("task_id", "=", kept.body.id);
    expect(await followers.execute()).toEqual([]);
    // Without a choice, they are stored as for upright pixels, too.
    for (const same of [await choose(bob, second, "upright"), await uploadImport(bob, datasetId, turned)])
      expect([same.status, same.body.id]).toEqual([200, kept.body.id]);
    const { row } = await runQueuedTask(server, kept.body.id);
    expect(row.result).toMatchObject({ created: 1, pixels: { made_for: "upright" } });
    expect((await choose(bob, second, "stored")).status).toBe(200);
  });

  it("a dry run can be imported by its creator only, and into its dataset only", async () => {
    const { id } = await dryRun(file(), bob);
    const other = await seedDataset(server.db, { ownerId: bob.id });
    const { id: scan } = (await ann.get(`dataset/${datasetId}/scan`)).body;
    expect((await startImport(ann, id)).status).toBe(404);
    expect((await startImport(bob, id, other)).status).toBe(404);
    expect((await startImport(bob, scan)).status).toBe(404);
    expect((await startImport(bob, id)).status).toBe(200);
  });

  it("a dry run's file is kept for a day, even across a restart", async () => {
    const { id } = await dryRun(file());
    await tidyTransfers(server.services, { alone: true });
    expect(await isKept(id)).toBe(true);
    await server.db
      .updateTable("tasks")
      .set({ finished_at: new Date(Date.now() - 90_000_000) })
      .where("id", "=", id)
      .execute();
    await tidyTransfers(server.services, { alone: true });
    expect(await isKept(id)).toBe(false);
    expect((await startImport(ann, id)).status).toBe(409);
  });

  it("a dry run reads a hundred thousand annotations, and lists the missing images in the report, not in the log", async () => {
    const images = [1, ...Array.from({ length: 1500 }, (_, n) => n + 2)].map(
      (id) => `{"id":${id},"file_name":"${id}.jpg"}`,
    );
    const annotation = (n: number) =>
      `{"image_id":${1 + (n % 2)},"category_id":1,"segmentation":[[${n % 90},${n % 70},90,70,${n % 50},70]]}`;
    const annotations = Array.from({ length: 100_000 }, (_, n) => annotation(n));
    await seedImages(server, datasetId, [{ file_name: "1.jpg", width: 100, height: 80 }]);
    const { row, log } = await dryRun(
      `{"images":[${images}],"annotations":[${annotations}],"categories":[{"id":1,"name":"many ${number}"}]}`,
    );
    expect(row.result).toMatchObject({ created: 50_000, skipped: { "its image: not in the dataset": 50_000 } });
    const { examples } = row.result as unknown as { examples: Record<string, string[]> };
    expect(examples["not in the dataset"]).toHaveLength(1000);
    expect(log.length).toBeLessThan(100);
  });
});
