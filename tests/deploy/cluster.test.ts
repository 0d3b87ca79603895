import { openAsBlob } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../server/db/open/database";
import { type Cluster, startCluster } from "../support/cluster/cluster";
import { killInTurn } from "../support/cluster/kills";
import { compareSaves, startSaves } from "../support/cluster/saves";
import { type ExportedCoco, writeLargeCoco } from "../support/coco";
import { createServerDatabase, dropServerDatabase } from "../support/databases";
import { temporaryFolder } from "../support/folders";
import { haproxyProgram } from "../support/haproxy";
import { makeMembers } from "../support/members";
import { postgresFolder } from "../support/postgres";
import { cookieOfToken } from "../support/sockets";
import { type S3Server, s3Program, startS3 } from "../support/startS3";
import { TestClient } from "../support/testClient";

const [haproxy, s3] = [haproxyProgram(), s3Program()];
const canRun = haproxy !== undefined && s3 !== undefined && postgresFolder() !== undefined;
if (!canRun)
  console.warn("SKIPPED: two servers and a worker on S3 need haproxy, PostgreSQL and an S3 server (S3_SERVER).");

const IMAGES = 16;
const ANNOTATIONS = 1_500;
const KILLS = { everyMs: 4_000, downMs: 1_000 };
/** Lets the worker end, like `kill -9`, right before a statement. */
const crash = (at: number, after: string) => ({
  NODE_OPTIONS: `--import ${pathToFileURL("tests/support/crashAt.mjs")}`,
  CRASH_AT: String(at),
  CRASH_AFTER: after,
});

describe.skipIf(!canRun)("two servers and a worker with PostgreSQL, S3 and HAProxy", () => {
  let [bucketServer, cluster]: [S3Server?, Cluster?] = [];
  let databaseUrl: string;
  let database: Database;
  let ann: TestClient;
  let dataset: number;
  let images: number[];

  beforeAll(async () => {
    databaseUrl = await createServerDatabase("limn_template");
    bucketServer = await startS3(s3 ?? "");
    const bucket = await bucketServer.makeBucket();
    cluster = await startCluster({ haproxy: haproxy ?? "", databaseUrl, bucket });
    database = await openDatabase({ DATABASE_URL: databaseUrl, DATA_DIR: "" });
    ann = new TestClient(cluster.url);
    await ann.post("user/register", { username: "ann", password: "secret" });
    dataset = (await ann.post("dataset/", { name: "saved", categories: ["thing"] })).body.id;
    images = await uploadImages(dataset);
  });
  afterAll(async () => {
    await database?.close();
    await cluster?.remove();
    await bucketServer?.stop();
    await dropServerDatabase(databaseUrl);
  });

  /** Uploads images named 1.jpg and so on to a dataset. Returns their ids. */
  async function uploadImages(id: number): Promise<number[]> {
    const body = new FormData();
    for (let n = 1; n <= IMAGES; n++) {
      const image = sharp({ create: { width: 640, height: 480, channels: 3, background: { r: n, g: id, b: 90 } } });
      body.append("files", new Blob([new Uint8Array(await image.png().toBuffer())]), `${n}.jpg`);
    }
    const response = await ann.request("POST", `dataset/${id}/upload`, { body });
    return response.body.files.map((file: { id: number }) => file.id);
  }

  test("lose no acknowledged edit and store none twice while a server is killed again and again", async () => {
    if (!cluster) throw new Error("no cluster");
    const tokens = await makeMembers(database.db, dataset, images.length);
    const [category] = (await ann.get(`dataset/${dataset}/data`)).body.categories;
    const savers = images.map((imageId, i) => ({
      cookie: cookieOfToken({ BASE_PATH: "/" }, tokens[i] ?? ""),
      imageId,
      categoryId: category.id,
    }));
    const saves = startSaves(cluster.url, savers);
    const killing = killInTurn(cluster.servers, KILLS);
    await expect.poll(() => killing.count).toBe(2);
    await killing.stop();
    await saves.stop();
    expect(saves.problems).toEqual([]);
    expect(saves.edits.length).toBeGreaterThan(100);
    expect(await compareSaves(database.db, saves)).toEqual({ lost: 0, twice: 0, different: 0 });
  });

  const expireLease = () =>
    sql`update tasks set lease_until = now() - interval '1 s' where state = 'running'`.execute(database.db);

  /** Kills the worker before a statement of a task, which the next worker runs to its end. Returns its result. */
  async function killedInTask(at: number, after: string, start: () => Promise<number>) {
    await cluster?.worker.kill();
    await cluster?.worker.start(crash(at, after));
    const task = await start();
    expect(await cluster?.worker.ended()).toBe("SIGKILL");
    // The next worker waits for the end of the dead one's lease, 30 seconds.
    await expireLease();
    await cluster?.worker.start();
    const state = async () => (await ann.get("tasks/")).body.find(({ id }: { id: number }) => id === task);
    await expect.poll(async () => (await state()).state).toBe("done");
    return (await state()).result;
  }

  test("finish an import and an export whose worker was killed in the middle", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "large.json");
    await writeLargeCoco(file, IMAGES, ANNOTATIONS, 5);
    const { id } = (await ann.post("dataset/", { name: "imported" })).body;
    await uploadImages(id);
    const imported = await killedInTask(3, 'insert into "?annotations', async () => {
      const body = new FormData();
      body.append("coco", await openAsBlob(file), "large.json");
      return (await ann.request("POST", `dataset/${id}/coco`, { body })).body.id;
    });
    expect(imported).toMatchObject({ created: ANNOTATIONS, matched: 0, skipped: {} });
    const exported = await killedInTask(2, 'from "?annotations', async () => {
      const { body } = await ann.get(`dataset/${id}/export?format=coco`);
      return body.id;
    });
    const { body } = await ann.get(`export/${exported.export_id}/download`);
    expect((body as ExportedCoco).annotations).toHaveLength(ANNOTATIONS);
  });
});
