import { openAsBlob } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ExportedCoco, writeLargeCoco } from "../../../support/coco";
import type { TestDatabase } from "../../../support/databases";
import { temporaryFolder } from "../../../support/folders";
import { type LiveServer, startLiveServer } from "../../../support/liveServer";
import { TestClient } from "../../../support/testClient";

const IMAGES = 8;
const ANNOTATIONS = 6_000;

type ServerDatabase = Pick<TestDatabase, "url" | "db">;

/**
 * Tests imports and exports on a server that is killed at each of these percentages of their progress and restarted:
 * they continue where they stopped and end with the exact counts. `open` creates the database, or returns null for one
 * in the server's own folder. The two databases have separate test files, so that these minutes pass in parallel.
 */
export function testKilledTransfers(open: () => Promise<ServerDatabase | null>, percents: readonly number[]): void {
  let database: ServerDatabase | null;
  let server: LiveServer;
  let ann: TestClient;
  const file = join(temporaryFolder(), "large.json");

  beforeAll(async () => {
    database = await open();
    await writeLargeCoco(file, IMAGES, ANNOTATIONS, 10);
    server = await startLiveServer({ ...(database?.url && { DATABASE_URL: database.url }) });
    ann = new TestClient(server.url);
    expect((await ann.post("user/register", { username: "ann", password: "secret" })).status).toBe(200);
  });
  afterAll(() => server?.remove());

  async function dataset(name: string): Promise<number> {
    const { body } = await ann.post("dataset/", { name });
    const form = new FormData();
    for (let n = 1; n <= IMAGES; n++) {
      const imageFile = sharp({
        create: { width: 640, height: 480, channels: 3, background: { r: n * 20, g: 9, b: 9 } },
      });
      form.append("files", new Blob([new Uint8Array(await imageFile.png().toBuffer())]), `${n}.jpg`);
    }
    const { status, text } = await ann.request("POST", `dataset/${body.id}/upload`, { body: form });
    expect(status, text).toBe(200);
    return body.id;
  }
  const taskOf = async (id: number) => {
    const { body } = await ann.get("tasks/");
    return body.find((task: { id: number }) => task.id === id) as { state: string; progress: number; result: object };
  };
  async function killAt(taskId: number, percent: number) {
    for (let task = await taskOf(taskId); task.progress < percent && task.state !== "done"; await wait(5))
      task = await taskOf(taskId);
    await server.kill();
    // Another process may only take the task once the lease of the dead one has expired, after 30 s.
    if (database)
      await sql`update tasks set lease_until = now() - interval '1 s' where state = 'running'`.execute(database.db);
    await server.start();
  }
  async function finished(taskId: number) {
    for (;;) {
      const task = await taskOf(taskId);
      if (task.state === "done") return task;
      if (task.state !== "queued" && task.state !== "running") throw new Error(task.state);
      await wait(50);
    }
  }
  async function check(datasetId: number) {
    const { body, status } = await ann.get(`dataset/${datasetId}/coco`);
    expect(status).toBe(200);
    const { annotations } = body as ExportedCoco;
    expect(annotations).toHaveLength(ANNOTATIONS);
    expect(new Set(annotations.map(({ area }) => area)).size).toBe(ANNOTATIONS);
    const { images } = (await ann.get(`dataset/${datasetId}/data`)).body;
    expect(images.map((image: { num_annotations: number }) => image.num_annotations)).toEqual(
      Array(IMAGES).fill(ANNOTATIONS / IMAGES),
    );
  }

  it("continues where it stopped and ends with the exact counts", async () => {
    for (const percent of percents) {
      const datasetId = await dataset(`killed at ${percent}`);
      const form = new FormData();
      form.append("coco", await openAsBlob(file), "large.json");
      const started = await ann.request("POST", `dataset/${datasetId}/coco`, { body: form });
      await killAt(started.body.id, percent);
      const { result } = await finished(started.body.id);
      expect(result, `killed at ${percent} %`).toMatchObject({ created: ANNOTATIONS, matched: 0, skipped: {} });
      await check(datasetId);
      expect(await readdir(join(server.dataDir, "uploads"))).toEqual([]);

      const exporting = await ann.get(`dataset/${datasetId}/export`);
      await killAt(exporting.body.id, percent);
      await finished(exporting.body.id);
      const exports = (await ann.get(`dataset/${datasetId}/exports`)).body as { id: number; bytes: number }[];
      expect(exports).toHaveLength(1);
      const { text } = await ann.get(`export/${exports[0]?.id}/download`);
      expect(Buffer.byteLength(text)).toBe(exports[0]?.bytes);
      expect((JSON.parse(text) as ExportedCoco).annotations).toHaveLength(ANNOTATIONS);
      const known = new Set(await readdir(join(server.dataDir, "exports")));
      expect([...known].filter((name) => name.includes("part"))).toEqual([]);
    }
  });
}
