import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { HttpError } from "../../../../server/base/errors";
import { log } from "../../../../server/base/log";
import { rankedImages } from "../../../../server/features/assignment/queueOrder";
import { embedImages } from "../../../../server/features/embeddings/embedImages";
import { type Dextr, makeDextr } from "../../../../server/onnx/dextr";
import { taskKinds } from "../../../../server/tasks";
import { describeOnDatabases, type TestDatabase } from "../../../support/databases";
import { seedImage } from "../../../support/factories";
import { temporaryFolder } from "../../../support/folders";
import { brightness } from "../../../support/networks";
import { DEXTR_PATIENCE } from "../../../support/patience";
import { runTask } from "../../../support/runTask";
import { seededRandom } from "../../../support/seededRandom";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

const [WIDTH, HEIGHT] = [160, 120];

// These tests provoke errors, which would be logged.
log.level = "silent";

/** Returns an image of one of three kinds: stripes, a disc, or noise. */
function draw(kind: number, seed: number): Promise<Buffer> {
  const random = seededRandom(seed);
  const shade = 40 * random();
  const valueAt = (x: number, y: number) => {
    if (kind === 0) return Math.floor(x / 12) % 2 === 0 ? 230 : shade;
    if (kind === 1) return Math.hypot(x - 80, y - 60) < 40 ? [220, 60, shade] : [90, 140, 80];
    return 255 * random();
  };
  const pixels = Array.from({ length: WIDTH * HEIGHT }, (_, i) => {
    const value = valueAt(i % WIDTH, Math.floor(i / WIDTH));
    return typeof value === "number" ? [value, value, value] : value;
  });
  return sharp(Buffer.from(pixels.flat()), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

describeOnDatabases("embeddings of images", (open) => {
  let database: TestDatabase;
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let dataset: { id: number; folder: string };
  let number = 0;

  beforeAll(async () => {
    database = await open();
    server = await startServer(database);
    [ann, bob] = [await server.user("ann"), await server.user("bob")];
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    const { id } = (await ann.post("dataset/", { name: `embeddings ${++number}` })).body;
    await ann.post(`dataset/${id}/share`, { users: ["bob"] });
    dataset = await server.db
      .selectFrom("datasets")
      .select(["id", "folder"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  });

  async function upload(content: Buffer, name = `${++number}.jpg`): Promise<number> {
    const body = new FormData();
    body.set("files", new Blob([new Uint8Array(content)]), name);
    const sent = await ann.request("POST", `dataset/${dataset.id}/upload`, { body });
    return sent.body.files[0].id;
  }
  async function uploadKinds(count: number): Promise<number[]> {
    const ids: number[] = [];
    for (let n = 0; n < count; n++) ids.push(await upload(await draw(n % 3, ++number)));
    return ids;
  }

  const choose = (order: string) => ann.post(`dataset/${dataset.id}`, { queue_order: order });
  const counts = async () => (await ann.get(`dataset/${dataset.id}/queue/compared`)).body;
  /**
   * Returns a user's next image after waiting for the order, which may take longer than a call waits on a busy machine.
   */
  const next = async (by: TestUser, except: number[] = []) => {
    const { queue_order } = await server.db
      .selectFrom("datasets")
      .select("queue_order")
      .where("id", "=", dataset.id)
      .executeTakeFirstOrThrow();
    for (const userId of [by.id, null])
      await rankedImages(server.services, { id: dataset.id, name: "", queue_order }, userId, 60_000);
    return (await by.post(`dataset/${dataset.id}/images/next`, { except })).body.image_id;
  };
  const tasks = () =>
    server.db
      .selectFrom("tasks")
      .selectAll()
      .where("kind", "=", "embedImages")
      .where("dataset_id", "=", dataset.id)
      .orderBy("id")
      .execute();
  async function runLast(extra: object = {}) {
    const last = (await tasks()).at(-1)!;
    return runTask(server.db, taskKinds, { ...server.services, ...extra }, last.id);
  }
  const stored = async () => {
    const { rows } = await sql<{ image_id: number; embedding: Buffer | null }>`
      select image_id, embedding from image_embeddings where dataset_id = ${dataset.id} order by image_id`.execute(
      server.db,
    );
    return rows;
  };

  /** A network that answers at once with two numbers. `before` is called with each image's number. */
  function network(before: (count: number) => void = () => undefined) {
    const seen: number[] = [];
    const embed: Dextr["embed"] = async ({ job, signal }) => {
      before(seen.length);
      signal.throwIfAborted();
      seen.push(job.side);
      return Float32Array.of(job.pixels[0]!, job.pixels[1]!);
    };
    const thread = { embed, isWanted: () => false, close: async () => undefined } as Partial<Dextr> as Dextr;
    return { seen, dextr: { ...thread, another: () => thread, model: async () => undefined } };
  }

  function embed(dextr: Dextr, signal = new AbortController().signal) {
    const { db, services } = server;
    const tools = { db, files: services.files, dextr, signal, taskId: 1 };
    return embedImages({ ...tools, progress: () => undefined, warn: () => undefined }, dataset);
  }

  it("are computed by a task that choosing the order starts, and the queue gives one image of each kind first", async () => {
    const ids = await uploadKinds(9);
    await choose("smart");
    await next(bob);
    expect(await tasks()).toEqual([]);
    await choose("farthest");
    await choose("farthest");
    expect(await tasks()).toHaveLength(1);
    expect(await counts()).toEqual({ images: 9, compared: 0, unreadable: 0 });
    const { row, log: lines } = await runLast();
    expect(row.state, lines.join("\n")).toBe("done");
    expect(row.result).toEqual({ what: "embedImages", compared: 9, unreadable: 0 });
    expect(await counts()).toEqual({ images: 9, compared: 9, unreadable: 0 });
    for (const { embedding } of await stored()) expect(embedding).toHaveLength(64 * 4);
    const given: number[] = [];
    for (let n = 0; n < 9; n++) given.push(await next(bob, given));
    expect(new Set(given)).toEqual(new Set(ids));
    expect(new Set(given.slice(0, 3).map((id) => ids.indexOf(id) % 3))).toEqual(new Set([0, 1, 2]));
    expect(await tasks()).toHaveLength(1);
  });

  it("of broken and missing files are none; these images come last, and are tried again when a maintainer asks", async () => {
    const folder = join(server.env.DATA_DIR, "datasets", dataset.folder);
    const [first, second, third] = await uploadKinds(3);
    const paths = await server.db
      .selectFrom("images")
      .select(["id", "path"])
      .where("dataset_id", "=", dataset.id)
      .execute();
    const pathOf = (id: number) => join(folder, paths.find((each) => each.id === id)!.path);
    writeFileSync(pathOf(first!), "not an image");
    const gone = await seedImage(server.db, dataset.id, "0.jpg");
    await choose("farthest");
    const { row, log: lines } = await runLast();
    expect(row.result).toEqual({ what: "embedImages", compared: 2, unreadable: 2 });
    expect(lines.filter((line) => line.startsWith("WARNING"))).toHaveLength(2);
    expect(await counts()).toEqual({ images: 4, compared: 2, unreadable: 2 });
    const given: number[] = [];
    for (let n = 0; n < 4; n++) given.push(await next(bob, given));
    expect(new Set(given.slice(0, 2))).toEqual(new Set([second, third]));
    expect(new Set(given.slice(2))).toEqual(new Set([first, gone]));
    expect(await next(bob, given)).toBeNull();
    await choose("list");
    await choose("farthest");
    expect(await tasks()).toHaveLength(1);
    writeFileSync(pathOf(first!), await draw(0, 1));
    expect((await bob.post(`dataset/${dataset.id}/queue/compare`, {})).status).toBe(403);
    expect((await ann.post(`dataset/${dataset.id}/queue/compare`, {})).status).toBe(200);
    expect((await runLast()).row.result).toEqual({ what: "embedImages", compared: 1, unreadable: 1 });
  });

  it("continue after they were cancelled or the server was killed", async () => {
    await uploadKinds(6);
    const cancel = new AbortController();
    const first = network((count) => count === 4 && cancel.abort());
    await expect(embed(first.dextr, cancel.signal)).rejects.toThrow();
    expect((await counts()).compared).toBe(4);
    const second = network();
    expect(await embed(second.dextr)).toEqual({ compared: 2, unreadable: 0 });
    expect(second.seen).toHaveLength(2);
    expect(await embed(network().dextr)).toEqual({ compared: 0, unreadable: 0 });
  });

  it("are computed anew for another file or another network, and go with the image", async () => {
    const [first, second] = await uploadKinds(3);
    await embed(network().dextr);
    await sql`update images set hash = 'other' where id = ${first}`.execute(server.db);
    expect((await counts()).compared).toBe(2);
    expect(await embed(network().dextr)).toEqual({ compared: 1, unreadable: 0 });
    const other = { ...network().dextr, model: async () => ({ sha256: "other" }) } as Dextr;
    expect(await embed(other)).toEqual({ compared: 3, unreadable: 0 });
    await server.db.deleteFrom("images").where("id", "=", second!).execute();
    expect(await stored()).toHaveLength(2);
  });

  it("fail with a reason if the network cannot run or describes nothing, and the queue goes on by name", async () => {
    const [first, second] = await uploadKinds(2);
    await choose("farthest");
    const file = join(temporaryFolder(), "brightness.onnx");
    writeFileSync(file, brightness());
    const dextr = makeDextr({ ...DEXTR_PATIENCE, file });
    const plain = await runLast({ dextr });
    await dextr.close();
    expect(plain.row.state).toBe("failed");
    expect(plain.log.at(-1)).toContain("The network of this server cannot describe images.");
    await ann.post(`dataset/${dataset.id}/queue/compare`, {});
    const absent = network().dextr;
    const refuse = async () => Promise.reject(new HttpError(503, "DEXTR cannot run on this server."));
    const refused = await runLast({ dextr: { ...absent, another: () => ({ ...absent, embed: refuse }) } });
    expect(refused.row.state).toBe("failed");
    expect(refused.log.at(-1)).toContain("DEXTR cannot run on this server.");
    expect(await next(bob)).toBe(first);
    expect(await next(bob, [first!])).toBe(second);
    // A task that failed does not start again by itself.
    expect(await tasks()).toHaveLength(2);
  });

  it("need no task for a dataset without images, and start by themselves for images that are added later", async () => {
    await choose("farthest");
    expect(await tasks()).toEqual([]);
    expect(await next(bob)).toBeNull();
    const id = await upload(await draw(1, 1));
    expect(await next(bob)).toBe(id);
    expect(await tasks()).toHaveLength(1);
    expect((await tasks())[0]).toMatchObject({ creator_id: null, key: `embeddings:${dataset.id}` });
    expect((await runLast()).row.state).toBe("done");
    const later = await upload(await draw(2, 2));
    expect(await next(bob, [id])).toBe(later);
    expect(await tasks()).toHaveLength(1);
    await sql`update tasks set finished_at = now() - interval '11 minutes' where dataset_id = ${dataset.id}`.execute(
      server.db,
    );
    await upload(await draw(0, 3));
    await next(bob);
    expect(await tasks()).toHaveLength(2);
  });

  it("are of no image in the trash, and end when the dataset was deleted", async () => {
    const [first] = await uploadKinds(2);
    await ann.delete(`image/${first}`);
    await choose("farthest");
    expect(await counts()).toEqual({ images: 1, compared: 0, unreadable: 0 });
    await ann.delete(`dataset/${dataset.id}`);
    const { row, log: lines } = await runLast();
    expect(row.state).toBe("failed");
    expect(lines.at(-1)).toContain("The dataset was deleted.");
    expect(await stored()).toEqual([]);
  });
});
