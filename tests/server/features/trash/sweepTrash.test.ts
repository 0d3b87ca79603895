import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { purgeDataset } from "../../../../server/features/trash/purgeDataset";
import { sweepTrash } from "../../../../server/features/trash/sweepTrash";
import { taskKinds } from "../../../../server/tasks";
import { describeOnBothDatabases } from "../../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../../support/factories";
import { runTask } from "../../../support/runTask";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

const DAY_MS = 86_400_000;

describeOnBothDatabases("the trash", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let dataset: number;
  let image: number;
  let folder: string;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    folder = `set ${crypto.randomUUID()}`;
    dataset = await seedDataset(server.db, { name: folder, ownerId: ann.id });
    image = await seedImage(server.db, dataset, "sub/a.jpg");
    put("sub/a.jpg");
  });

  const at = (path: string) => join(server.env.DATASETS_DIR, folder, path);
  const inTrash = (path: string) => join(server.env.DATASETS_DIR, ".trash", path);
  const put = (path: string, text = path) => {
    mkdirSync(join(at(path), ".."), { recursive: true });
    writeFileSync(at(path), text);
  };
  const discard = (entry: string, path: string) =>
    server.services.files.trash.discard(entry, { folder, path, hash: "h" });
  const sweep = (settledMs = 0) => sweepTrash(server.services, settledMs);
  const makeOld = (entry: string) => {
    const time = new Date(Date.now() - DAY_MS - 60_000);
    utimesSync(inTrash(entry), time, time);
  };

  test("a file that was moved before a kill, while its row stayed, is moved back", async () => {
    await discard(`image-${image}`, "sub/a.jpg");
    expect(existsSync(at("sub/a.jpg"))).toBe(false);
    await sweep(3_600_000);
    expect(existsSync(at("sub/a.jpg"))).toBe(false);
    await sweep();
    expect(readFileSync(at("sub/a.jpg"), "utf8")).toBe("sub/a.jpg");
    expect(existsSync(inTrash(`image-${image}`))).toBe(false);
  });

  test("a file without a row is removed after a day", async () => {
    await ann.delete(`image/${image}`);
    expect((await ann.delete(`undo/?id=${image}&instance=image`)).status).toBe(200);
    await sweep();
    expect(existsSync(inTrash(`image-${image}/sub/a.jpg`))).toBe(true);
    makeOld(`image-${image}`);
    await sweep();
    expect(existsSync(inTrash(`image-${image}`))).toBe(false);
    expect(existsSync(at("sub/a.jpg"))).toBe(false);
  });

  test("no file is moved over another file, nor to a path without an image", async () => {
    put("foreign.jpg");
    await discard(`image-${image}`, "sub/a.jpg");
    await discard(`image-${image}`, "foreign.jpg");
    put("sub/a.jpg", "newer");
    await sweep();
    expect(readFileSync(at("sub/a.jpg"), "utf8")).toBe("newer");
    expect(existsSync(at("foreign.jpg"))).toBe(false);
    makeOld(`image-${image}`);
    await sweep();
    expect(existsSync(inTrash(`image-${image}`))).toBe(false);
  });

  test("rows of a restored backup find their files again", async () => {
    await seedImage(server.db, dataset, "b.jpg");
    put("b.jpg");
    for (const path of ["sub/a.jpg", "b.jpg"]) await discard(`dataset-${dataset}`, path);
    makeOld(`dataset-${dataset}`);
    await sweep();
    expect([existsSync(at("sub/a.jpg")), existsSync(at("b.jpg"))]).toEqual([true, true]);
  });

  test("an interrupted purge continues, even if its task was cancelled", async () => {
    await seedAnnotation(server.db, image, await seedCategory(server.db, ann.id));
    await ann.delete(`dataset/${dataset}`);
    const { task } = (await ann.delete(`undo/?id=${dataset}&instance=dataset`)).body;
    expect((await ann.post(`tasks/${task.id}/cancel`)).status).toBe(200);
    // Files moved, rows still present: the result of a kill in the middle.
    await discard(`dataset-${dataset}`, "sub/a.jpg");
    expect(await sweep()).toBe(1);
    expect(existsSync(at("sub/a.jpg"))).toBe(false);
    expect(await sweep()).toBe(0);
    const resumed = await server.db
      .selectFrom("tasks")
      .select("id")
      .where("key", "=", `purge-dataset:${dataset}`)
      .where("state", "=", "queued")
      .executeTakeFirstOrThrow();
    const { row } = await runTask(server.db, taskKinds, server.services, resumed.id);
    expect([row.state, row.result]).toEqual(["done", { images: 1 }]);
    expect(await server.db.selectFrom("images").select("id").where("id", "=", image).execute()).toEqual([]);
    expect(existsSync(at(""))).toBe(false);
  });

  test("a task never removes a dataset that was not permanently deleted", async () => {
    await ann.delete(`dataset/${dataset}`);
    const tools = { ...server.services, taskId: 1, attempt: 1, signal: new AbortController().signal };
    const nothing = () => undefined;
    const voice = { progress: nothing, info: nothing, warn: nothing, error: nothing, keepResult: nothing };
    expect(await purgeDataset({ ...tools, ...voice }, dataset)).toEqual({ images: 0 });
    expect(existsSync(at("sub/a.jpg"))).toBe(true);
    expect((await ann.post(`undo/?id=${dataset}&instance=dataset`)).status).toBe(200);
  });
});
