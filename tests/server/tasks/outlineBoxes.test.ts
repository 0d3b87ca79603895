import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { requestOfBox } from "../../../model/dextr/boxes";
import { log } from "../../../server/base/log";
import { type Dextr, makeDextr } from "../../../server/onnx/dextr";
import { taskKinds } from "../../../server/tasks";
import { areaOf, mergeRuns, ringsToRle } from "../../../shared/coco/mask";
import type { Annotation } from "../../../shared/entities/annotation";
import { importFile, runQueuedTask } from "../../support/coco";
import { describeOnDatabases, type TestDatabase } from "../../support/databases";
import { type Disc, drawDiscs } from "../../support/discs";
import { temporaryFolder } from "../../support/folders";
import { brightness } from "../../support/networks";
import { DEXTR_PATIENCE } from "../../support/patience";
import { runTask } from "../../support/runTask";
import { startServer, type TestServer, type TestUser } from "../../support/server";
import { stopAtFirstProgress } from "../../support/stopTask";

const [WIDTH, HEIGHT] = [400, 300];
const DISCS: Disc[] = [
  { x: 100, y: 100, radius: 50 },
  { x: 260, y: 130, radius: 60 },
  { x: 380, y: 260, radius: 40 },
];
const boxOf = ({ x, y, radius }: Disc) => [x - radius, y - radius, 2 * radius, 2 * radius];

// These tests provoke errors, which would be logged.
log.level = "silent";

describeOnDatabases("outlining boxes", (open) => {
  let database: TestDatabase;
  let server: TestServer;
  let ann: TestUser;
  let eve: TestUser;
  let datasetId: number;
  let categories: number[];
  let number = 0;

  beforeAll(async () => {
    database = await open();
    const file = join(temporaryFolder(), "brightness.onnx");
    writeFileSync(file, brightness());
    server = await startServer(database, { services: { dextr: makeDextr({ ...DEXTR_PATIENCE, file }) } });
    ann = await server.user("ann");
    eve = await server.user("eve");
    categories = [];
    for (const name of ["disc", "hole"]) categories.push((await ann.post("category/", { name })).body.id);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    datasetId = (await ann.post("dataset/", { name: `boxes ${++number}` })).body.id;
  });

  /** Adds an image with the discs and a box around each. Returns the ids of image and annotations. */
  async function add(discs = DISCS, categoryId = categories[0]!): Promise<{ image: number; ids: number[] }> {
    const bytes = await drawDiscs(WIDTH, HEIGHT, discs).png().toBuffer();
    const body = new FormData();
    body.set("dataset_id", String(datasetId));
    body.set("image", new Blob([new Uint8Array(bytes)]), `${++number}.png`);
    const image = (await ann.request("POST", "image/", { body })).body;
    const ids: number[] = [];
    for (const disc of discs) ids.push(await addBox(image, boxOf(disc), categoryId));
    return { image, ids };
  }

  async function addBox(image_id: number, bbox: number[], category_id = categories[0]!): Promise<number> {
    const { status, body, text } = await ann.post("annotation/", { image_id, category_id, bbox, isbbox: true });
    expect(status, text).toBe(200);
    return body.id;
  }

  const call = (name: string, body: object, by = ann) => by.post(`dataset/${datasetId}/boxes/${name}`, body);
  const run = async (name: string, body: object) => {
    const { status, body: task, text } = await call(name, body);
    expect(status, text).toBe(200);
    return runTask(server.db, taskKinds, server.services, task.id);
  };
  const outlineAll = async (body: object = { filter: {} }) => {
    const { row, log: lines } = await run("outline", body);
    expect(row.state, lines.join("\n")).toBe("done");
    return row.result as { outlined: number; kept: number; failed: number; undo: string };
  };
  const annotations = async (image: number): Promise<Annotation[]> => {
    const { body } = await ann.get(`annotator/data/${image}?shape=rings`);
    return body.annotations ?? body.categories.flatMap((each: { annotations: Annotation[] }) => each.annotations);
  };
  const rows = () => server.db.selectFrom("annotations").selectAll().orderBy("id").execute();
  const rowsOf = async (ids: number[]) => (await rows()).filter(({ id }) => ids.includes(id));

  it("replaces boxes with the outlines of their objects, and undo restores all boxes exactly", async () => {
    const [first, second] = [await add(), await add(DISCS.slice(0, 2))];
    const all = [...first.ids, ...second.ids];
    const before = await rowsOf(all);
    expect((await call("count", { filter: {} })).body).toMatchObject({ boxes: 5, images: 2, changes: [] });
    const { undo, ...counts } = await outlineAll();
    expect(counts).toMatchObject({ outlined: 5, kept: 0, failed: 0 });
    for (const annotation of await annotations(first.image)) {
      expect(annotation.isbbox).toBe(false);
      const disc = DISCS[first.ids.indexOf(annotation.id!)]!;
      const mask = ringsToRle(annotation.rings!, WIDTH, HEIGHT);
      const box = ringsToRle([[rectangle(boxOf(disc))]], WIDTH, HEIGHT);
      const share = areaOf(mask) / areaOf(box);
      expect(areaOf(mergeRuns([mask, box], "intersection"))).toBe(areaOf(mask));
      expect(share).toBeGreaterThan(0.7);
      expect(share).toBeLessThan(0.9);
    }
    const listed = (await call("count", { filter: {} })).body;
    expect(listed).toMatchObject({ boxes: 0, images: 0, changes: [{ undo, boxes: 5, is_own: true }] });
    expect((await run("undo", { undo })).row.result).toEqual({ what: "restoreBoxes", restored: 5, kept: 0 });
    const after = await rowsOf(all);
    const shown = (list: typeof before) => list.map(({ shape, area, bbox, isbbox }) => ({ shape, area, bbox, isbbox }));
    expect(shown(after)).toEqual(shown(before));
    expect((await call("count", { filter: {} })).body).toMatchObject({ boxes: 5, images: 2, changes: [] });
    expect((await call("undo", { undo })).status).toBe(409);
  });

  it("leaves crowds, shapes, tiny boxes and boxes without an object alone", async () => {
    const { image } = await add([DISCS[0]!]);
    const crowd = await addBox(image, [250, 10, 100, 100]);
    await server.db.updateTable("annotations").set({ iscrowd: true }).where("id", "=", crowd).execute();
    const tiny = await addBox(image, [300, 200, 3, 30]);
    const empty = await addBox(image, [250, 200, 60, 60]);
    const drawn = await ann.post("annotation/", {
      image_id: image,
      category_id: categories[0],
      segmentation: [[300, 10, 350, 10, 350, 60]],
    });
    const others = [crowd, tiny, empty, drawn.body.id];
    const before = await rowsOf(others);
    expect(await outlineAll()).toMatchObject({ outlined: 1, kept: 2, failed: 0 });
    expect(await rowsOf(others)).toEqual(before);
  });

  it("outlines the chosen images and categories only", async () => {
    const [first, second, third] = [
      await add([DISCS[0]!]),
      await add([DISCS[1]!], categories[1]),
      await add([DISCS[0]!]),
    ];
    const which = { ids: [first.image, second.image], categories: [categories[1]!] };
    expect((await call("count", which)).body).toMatchObject({ boxes: 1, images: 1 });
    expect((await outlineAll(which)).outlined).toBe(1);
    const boxes = (await rowsOf([...first.ids, ...second.ids, ...third.ids])).map(({ isbbox }) => isbbox);
    expect(boxes).toEqual([true, false, true]);
    expect((await outlineAll({ filter: { category_ids: [] }, except: [first.image] })).outlined).toBe(1);
  });

  it("outlines only the boxes that were there when the user pressed the button", async () => {
    const { image, ids } = await add(DISCS.slice(0, 2));
    const { body: task } = await call("outline", { filter: {}, boxes: 2 });
    const later = await addBox(image, boxOf(DISCS[2]!));
    const { ids: onAnother } = await add([DISCS[0]!]);
    const { row } = await runTask(server.db, taskKinds, server.services, task.id);
    expect(row.result).toMatchObject({ outlined: 2, kept: 0, failed: 0 });
    const boxes = (await rowsOf([...ids, later, ...onAnother])).map(({ isbbox }) => isbbox);
    expect(boxes).toEqual([false, false, true, true]);
  });

  it("undo keeps outlines that were changed or deleted since", async () => {
    const { image, ids } = await add();
    const { undo } = await outlineAll();
    await ann.put(`annotation/${ids[0]}`, { segmentation: [[10, 10, 60, 10, 60, 60]] });
    await ann.delete(`annotation/${ids[1]}`);
    expect((await run("undo", { undo })).row.result).toEqual({ what: "restoreBoxes", restored: 1, kept: 2 });
    const left = await annotations(image);
    expect(left.map(({ id, isbbox }) => [id, isbbox])).toEqual([
      [ids[0], false],
      [ids[2], true],
    ]);
  });

  it("is part of the import of the boxes: undoing the import removes outlines, except those changed by a user", async () => {
    const { image } = await add([]);
    const { file_name } = await server.db
      .selectFrom("images")
      .select("path as file_name")
      .where("id", "=", image)
      .executeTakeFirstOrThrow();
    const bytes = await drawDiscs(WIDTH, HEIGHT, DISCS).png().toBuffer();
    writeFileSync(join(server.env.DATASETS_DIR, `boxes ${number - 1}`, file_name), bytes);
    const { importId } = await importFile(server, ann, datasetId, {
      images: [{ id: 1, file_name, width: WIDTH, height: HEIGHT }],
      categories: [{ id: 1, name: "disc" }],
      annotations: DISCS.map((disc, id) => ({ id: id + 1, image_id: 1, category_id: 1, bbox: boxOf(disc) })),
    });
    expect((await outlineAll()).outlined).toBe(3);
    const [first] = await annotations(image);
    await ann.put(`annotation/${first!.id}`, { segmentation: [[10, 10, 60, 10, 60, 60]] });
    const { body } = await ann.delete(`dataset/${datasetId}/import/${importId}`);
    await runQueuedTask(server, body.id);
    expect((await annotations(image)).map(({ id }) => id)).toEqual([first!.id]);
  });

  it("may be started by members, and undone by the user who started it, the owner and admins", async () => {
    await add([DISCS[0]!]);
    const { undo } = await outlineAll();
    expect((await call("undo", { undo }, eve)).status).toBe(404);
    await ann.post(`dataset/${datasetId}/share`, { users: ["eve"] });
    expect((await call("undo", { undo }, eve)).status).toBe(403);
    expect((await call("count", { filter: {} }, eve)).body.changes).toMatchObject([{ undo, is_own: false }]);
    expect((await run("undo", { undo })).row.state).toBe("done");
    expect((await call("outline", { filter: {} }, eve)).status).toBe(200);
  });

  it("refuses a body that does not select boxes", async () => {
    const bad = [
      {},
      { ids: [] },
      { ids: ["x"] },
      { ids: [1], filter: {} },
      { filter: {}, categories: [] },
      { filter: {}, categories: "all" },
    ];
    for (const body of bad)
      for (const name of ["count", "outline"]) expect((await call(name, body)).status, JSON.stringify(body)).toBe(400);
    expect((await call("undo", { undo: "x" })).status).toBe(400);
    expect((await call("outline", { filter: {}, total: 5 })).status).toBe(409);
  });

  it("logs an image that cannot be read, and outlines the others", async () => {
    const [broken, good] = [await add([DISCS[0]!]), await add([DISCS[1]!])];
    await server.db.updateTable("images").set({ width: 77 }).where("id", "=", broken.image).execute();
    const { row, log: lines } = await run("outline", { filter: {} });
    expect(row).toMatchObject({ state: "done", warnings: 1, result: { outlined: 1, kept: 0, failed: 1 } });
    expect(lines.join()).toContain(`Image ${broken.image}`);
    expect((await rowsOf(good.ids))[0]?.isbbox).toBe(false);
  });

  it("stops when it is cancelled; the outlines so far can be undone, and the other boxes outlined later", async () => {
    for (let i = 0; i < 12; i++) await add([DISCS[0]!, DISCS[1]!]);
    const { body } = await call("outline", { filter: {} });
    const { dextr } = server.services;
    let calls = 0;
    const outline: Dextr["outline"] = async (asked) => {
      if (++calls === 5) {
        const aborted = new Promise((resolve) => asked.signal.addEventListener("abort", resolve));
        await ann.post(`tasks/${body.id}/cancel`);
        await aborted;
      }
      return dextr.outline(asked);
    };
    const tools = { ...server.services, dextr: { ...dextr, outline } };
    expect((await runTask(server.db, taskKinds, tools, body.id)).row.state).toBe("cancelled");
    const boxes = async () => (await call("count", { filter: {} })).body.boxes;
    const { boxes: left, changes } = (await call("count", { filter: {} })).body;
    expect(left).toBeGreaterThan(0);
    expect(changes).toMatchObject([{ boxes: 24 - left }]);
    await outlineAll();
    expect(await boxes()).toBe(0);
    for (const { undo } of (await call("count", { filter: {} })).body.changes) await run("undo", { undo });
    expect(await boxes()).toBe(24);
  });

  it("continues where a killed task has stopped, and reports all outlines", async () => {
    for (let i = 0; i < 6; i++) await add([DISCS[0]!]);
    const { body } = await call("outline", { filter: {} });
    const { payload } = await server.db
      .selectFrom("tasks")
      .select("payload")
      .where("id", "=", body.id)
      .executeTakeFirstOrThrow();
    const killing = new AbortController();
    const say = () => undefined;
    const progress = (percent: number) => percent > 40 && killing.abort(new Error("killed"));
    const attempt = { taskId: body.id, attempt: 1, db: server.db, env: server.env, signal: killing.signal, progress };
    const helpers = { ...server.services, ...attempt, info: say, warn: say, error: say, keepResult: say };
    await expect(taskKinds.outlineBoxes?.(payload, helpers)).rejects.toThrow("killed");
    const { boxes: left } = (await call("count", { filter: {} })).body;
    expect([left > 0, left < 6]).toEqual([true, true]);
    const { row, log: lines } = await runTask(server.db, taskKinds, server.services, body.id);
    expect(row).toMatchObject({ state: "done", result: { outlined: 6, kept: 0, failed: 0 } });
    expect(lines.join()).toContain("6 boxes outlined, 0 kept as boxes");
  });

  it("counts the boxes that were restored or kept before a restart of the server", async () => {
    const [first] = [await add(DISCS.slice(0, 2)), await add([DISCS[0]!])];
    const { undo } = await outlineAll();
    await ann.put(`annotation/${first.ids[0]}`, { segmentation: [rectangle([1, 1, 50, 50])] });
    const { body: task } = await call("undo", { undo });
    await stopAtFirstProgress(server, "restoreBoxes", task.id);
    const { row } = await runTask(server.db, taskKinds, server.services, task.id);
    expect(row.result).toEqual({ what: "restoreBoxes", restored: 2, kept: 1 });
  });

  it.runIf(availableParallelism() > 1)("runs the network in two threads, which find the same outlines", async () => {
    const images = [];
    for (let i = 0; i < 8; i++) images.push(await add());
    const { dextr } = server.services;
    const counts = [0, 0];
    const counted = (n: number, { outline, ...others }: Dextr): Dextr => ({
      ...others,
      outline: (asked) => {
        counts[n]!++;
        return outline(asked);
      },
    });
    let ended = 0;
    const another = () => {
      const second = counted(1, dextr.another());
      return { ...second, close: () => second.close().finally(() => ended++) };
    };
    const { body } = await call("outline", { filter: {} });
    const tools = { ...server.services, dextr: { ...counted(0, dextr), another } };
    expect((await runTask(server.db, taskKinds, tools, body.id)).row.result).toMatchObject({ outlined: 24, failed: 0 });
    expect(counts[0]! + counts[1]!).toBe(24);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(ended).toBe(1);
    const shapes = await rowsOf(images.flatMap(({ ids }) => ids));
    for (const disc of [0, 1, 2])
      expect(
        new Set(images.map(({ ids }) => JSON.stringify(shapes.find(({ id }) => id === ids[disc])?.shape))).size,
      ).toBe(1);
  });

  it("knows when users need the network", async () => {
    const dextr = server.services.dextr.another();
    expect(dextr.isWanted()).toBe(false);
    const asked = {
      userId: -1,
      job: { imageKey: "", width: 9, height: 9, request: requestOfBox([1, 1, 5, 5]) },
      read: async () => ({ data: new Uint8Array(324), left: 0, top: 0, width: 9, height: 9 }),
      signal: new AbortController().signal,
    };
    await dextr.outline(asked);
    expect(dextr.isWanted()).toBe(false);
    const running = dextr.outline({ ...asked, userId: 1 });
    expect(dextr.isWanted()).toBe(true);
    await running;
    await dextr.close();
  });

  it("starts nothing if the number of boxes is not the one that the user saw", async () => {
    const { image, ids } = await add();
    await addBox(image, [10, 10, 20, 20]);
    const { status, body } = await call("outline", { ids: [image], boxes: 3 });
    expect([status, body]).toMatchObject([409, { code: "total_changed", facts: { total: 4 } }]);
    expect((await rowsOf(ids)).map(({ isbbox }) => isbbox)).toEqual([true, true, true]);
    const { outlined, kept } = await outlineAll({ ids: [image], boxes: 4 });
    expect(outlined + kept).toBe(4);
  });

  it("is queued once in a dataset, however often it is started", async () => {
    await add([DISCS[0]!]);
    const [one, two] = [await call("outline", { filter: {} }), await call("outline", { filter: {} })];
    expect(two.body.id).toBe(one.body.id);
    await runTask(server.db, taskKinds, server.services, one.body.id);
  });

  it("is refused while a task changes other boxes of the dataset, which would not do what was asked for", async () => {
    const [first, second] = [await add([DISCS[0]!]), await add([DISCS[0]!])];
    const { undo } = await outlineAll({ ids: [first.image] });
    const started = await call("outline", { ids: [second.image] });
    for (const refused of [await call("outline", { ids: [first.image] }), await call("undo", { undo })])
      expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/are being changed/)]);
    await runTask(server.db, taskKinds, server.services, started.body.id);
    const restoring = await call("undo", { undo });
    expect((await call("undo", { undo })).body.id).toBe(restoring.body.id);
    await runTask(server.db, taskKinds, server.services, restoring.body.id);
  });
});

function rectangle([x = 0, y = 0, width = 0, height = 0]: number[]): number[] {
  return [x, y, x + width, y, x + width, y + height, x, y + height];
}
