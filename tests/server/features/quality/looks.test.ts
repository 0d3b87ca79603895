import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Look } from "../../../../model/dextr/looks/look";
import { HttpError } from "../../../../server/base/errors";
import { log } from "../../../../server/base/log";
import { checkLabels } from "../../../../server/features/quality/check/checkLabels";
import { lookAtObjects } from "../../../../server/features/quality/look/lookAtObjects";
import type { Dextr, DextrCall } from "../../../../server/onnx/dextr";
import type { LookJob } from "../../../../server/onnx/messages";
import { taskKinds } from "../../../../server/tasks";
import type { ShownFinding } from "../../../../shared/api/datasets/quality";
import { describeOnDatabases, type TestDatabase } from "../../../support/databases";
import { runTask } from "../../../support/runTask";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

const [WIDTH, HEIGHT] = [480, 240];
/** Number of images, and of objects in each: enough to compare categories. */
const [IMAGES, OBJECTS] = [10, 8];

// These tests provoke errors, which would be logged.
log.level = "silent";

/** An object: a red disc, or a blue square with stripes. */
interface Drawn {
  isDisc: boolean;
  x: number;
  y: number;
  radius: number;
}

const ringOf = ({ isDisc, x, y, radius }: Drawn): number[] =>
  isDisc
    ? Array.from({ length: 24 }, (_, i) => (i * Math.PI) / 12).flatMap((angle) => [
        x + radius * Math.cos(angle),
        y + radius * Math.sin(angle),
      ])
    : [
        x - radius,
        y - radius,
        x + radius,
        y - radius,
        x + radius,
        y + radius,
        x,
        y + 0.8 * radius,
        x - radius,
        y + radius,
      ];

function colourAt(objects: readonly Drawn[], n: number, x: number, y: number): [number, number, number] {
  for (const { isDisc, radius, ...middle } of objects) {
    const [across, down] = [x - middle.x, y - middle.y];
    if (isDisc && Math.hypot(across, down) < radius) return [220, 50 + radius, 40];
    if (!isDisc && Math.max(Math.abs(across), Math.abs(down)) < radius)
      return Math.floor(y / 5) % 2 === 0 ? [240, 240, 230] : [30, 60, 90 + 3 * radius];
  }
  return [120 + ((x + 3 * n) % 9), 150 + ((y + n) % 7), 110 + 2 * n];
}

/** Returns an image with the objects on a slightly uneven ground. */
function draw(objects: readonly Drawn[], n: number): Promise<Buffer> {
  const pixels = Buffer.from(
    Array.from({ length: WIDTH * HEIGHT }, (_, i) => colourAt(objects, n, i % WIDTH, Math.floor(i / WIDTH))).flat(),
  );
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
}

describeOnDatabases("looks at objects", (open) => {
  let database: TestDatabase;
  let server: TestServer;
  let ann: TestUser;
  let datasetId: number;
  let categories: number[];
  let number = 0;

  beforeAll(async () => {
    database = await open();
    server = await startServer(database);
    ann = await server.user("ann");
    categories = [];
    for (const name of ["disc", "square"]) categories.push((await ann.post("category/", { name })).body.id);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    datasetId = (await ann.post("dataset/", { name: `looks ${++number}` })).body.id;
  });

  /** Adds an image with discs and squares. Returns the ids of its annotations. */
  async function addImage(objects = OBJECTS): Promise<number[]> {
    number++;
    const drawn = Array.from({ length: objects }, (_, i) => ({
      isDisc: (i + number) % 2 === 0,
      x: 60 + 115 * (i % 4),
      y: 65 + 110 * Math.floor(i / 4),
      radius: 22 + ((7 * i + number) % 5),
    }));
    const body = new FormData();
    body.set("files", new Blob([new Uint8Array(await draw(drawn, number))]), `${number}.jpg`);
    const sent = await ann.request("POST", `dataset/${datasetId}/upload`, { body });
    const image_id: number = sent.body.files[0].id;
    const ids: number[] = [];
    for (const object of drawn) {
      const category_id = categories[object.isDisc ? 0 : 1];
      const {
        status,
        body: created,
        text,
      } = await ann.post("annotation/", { image_id, category_id, segmentation: [ringOf(object)] });
      expect(status, text).toBe(200);
      ids.push(created.id);
    }
    return ids;
  }

  async function check() {
    const { body: task } = await ann.post(`dataset/${datasetId}/quality/check`, {});
    const { row, log: lines } = await runTask(server.db, taskKinds, server.services, task.id);
    expect(row.state, lines.join("\n")).toBe("done");
    return { lines, ...(row.result as { looked: number }) };
  }

  const list = async (kind: string): Promise<ShownFinding[]> =>
    (await ann.get(`dataset/${datasetId}/quality/findings?kind=${kind}`)).body.findings;

  const swap = (id: number, category_id: number | undefined) =>
    server.db
      .updateTable("annotations")
      .set(({ eb }) => ({ category_id, revision: eb("revision", "+", 1) }))
      .where("id", "=", id)
      .execute();

  it("find an object of the wrong category, and describe only what has changed since", async () => {
    const ids: number[] = [];
    for (let i = 0; i < IMAGES; i++) ids.push(...(await addImage()));
    expect((await check()).looked).toBe(IMAGES * OBJECTS);
    expect(await list("unlikelyCategory")).toEqual([]);
    expect(await list("unlikelyOutline")).toEqual([]);
    const id = ids[19]!;
    const { category_id } = await server.db
      .selectFrom("annotations")
      .select("category_id")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    await swap(
      id,
      categories.find((each) => each !== category_id),
    );
    expect((await check()).looked).toBe(1);
    const likelyName = category_id === categories[0] ? "disc" : "square";
    expect(await list("unlikelyCategory")).toMatchObject([{ annotation: { id }, details: { likelyName } }]);
    expect((await check()).looked).toBe(0);
    const { revision } = await server.db
      .selectFrom("annotations")
      .select("revision")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const found = await checkLabels(server.db, datasetId, new AbortController().signal);
    expect(found).toMatchObject([{ kind: "unlikelyCategory", annotation: id, revision }]);
  });

  /** A network that answers at once. `before` is called with each annotation's number. */
  function network(before: (count: number) => void = () => undefined): { dextr: Dextr; jobs: LookJob[] } {
    const jobs: LookJob[] = [];
    const look = async ({ job, signal }: DextrCall<LookJob>): Promise<Look> => {
      before(jobs.length);
      signal.throwIfAborted();
      jobs.push(job);
      return { overlap: 0.1, features: Float32Array.of(1, 2) };
    };
    const thread = { look, isWanted: () => false, close: async () => undefined } as Partial<Dextr> as Dextr;
    return { jobs, dextr: { ...thread, another: () => thread } };
  }

  async function look(dextr: Dextr, signal = new AbortController().signal, warnings: string[] = []) {
    const { db, services } = server;
    const { folder } = await db
      .selectFrom("datasets")
      .selectAll()
      .where("id", "=", datasetId)
      .executeTakeFirstOrThrow();
    const warn = (text: string) => warnings.push(text);
    const tools = { db, files: services.files, dextr, signal, taskId: 1, warn };
    return lookAtObjects(tools, { id: datasetId, folder }, () => undefined);
  }

  it("continue after they were cancelled, and end after the image that is being looked at", async () => {
    for (let i = 0; i < 4; i++) await addImage(3);
    await check();
    await sql`delete from quality_looks`.execute(server.db);
    const cancel = new AbortController();
    const first = network((count) => count === 7 && cancel.abort());
    await expect(look(first.dextr, cancel.signal)).rejects.toThrow();
    expect(first.jobs).toHaveLength(7);
    const second = network();
    const left = await look(second.dextr);
    expect(left).toBe(second.jobs.length);
    expect(left).toBeGreaterThanOrEqual(12 - 7);
    expect(left).toBeLessThan(12);
    expect(await look(network().dextr)).toBe(0);
  });

  it("are left out with a warning if DEXTR cannot run", async () => {
    await addImage(2);
    await check();
    await sql`delete from quality_looks`.execute(server.db);
    const warnings: string[] = [];
    const absent = network();
    const refuse = async () => Promise.reject(new HttpError(503, "DEXTR cannot run on this server."));
    absent.dextr.another = () => ({ ...absent.dextr, look: refuse });
    expect(await look(absent.dextr, undefined, warnings)).toBe(0);
    expect(warnings).toEqual([
      "Categories and outlines were not compared by appearance: DEXTR cannot run on this server.",
    ]);
  });
});
