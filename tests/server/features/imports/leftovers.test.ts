import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeLeftovers } from "../../../../server/features/imports/leftovers";
import { describeOnBothDatabases } from "../../../support/databases";
import { seedDataset } from "../../../support/factories";
import { startServer, type TestServer } from "../../../support/server";

const DAY_MS = 86_400_000;

describeOnBothDatabases("files left by killed processes", (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(await open());
  });
  afterAll(() => server.close());

  const place = (path: string) => join(server.env.DATA_DIR, path);
  const put = (path: string, ageMs: number) => {
    mkdirSync(dirname(place(path)), { recursive: true });
    writeFileSync(place(path), "x");
    const time = new Date(Date.now() - ageMs);
    for (const each of [place(path), dirname(place(path))]) utimesSync(each, time, time);
  };

  test("leftover files are removed after a day, while needed or younger files stay", async () => {
    const dataset_id = await seedDataset(server.db);
    const { id: task_id } = await server.db
      .insertInto("tasks")
      .values({ kind: "import", name: "Import", key: "import", payload: JSON.stringify({ upload: "needed" }) })
      .returning("id")
      .executeTakeFirstOrThrow();
    await server.db
      .insertInto("exports")
      .values({ dataset_id, task_id, file: "coco-1.json", bytes: 1, tags: "[]" })
      .execute();
    const gone = ["tmp/upload-old/part", "tmp/old", "uploads/old", "exports/voc-2.zip.cut.part", "exports/coco-3.json"];
    const staying = ["tmp/upload-new/part", "uploads/new", "uploads/needed", "exports/coco-1.json", "exports/new.part"];
    for (const path of gone) put(path, DAY_MS + 60_000);
    for (const path of staying) put(path, /needed|coco-1/.test(path) ? 3 * DAY_MS : 0);
    await removeLeftovers(server.services);
    expect(gone.filter((path) => existsSync(place(path)))).toEqual([]);
    expect(staying.filter((path) => !existsSync(place(path)))).toEqual([]);
  });

  test("an import whose last attempt failed, so that it could not remove its rows, is removed", async () => {
    const dataset_id = await seedDataset(server.db);
    const task = { kind: "import", name: "Import", key: "failed import", state: "failed", payload: "{}" } as const;
    const { id: task_id } = await server.db.insertInto("tasks").values(task).returning("id").executeTakeFirstOrThrow();
    const values = { dataset_id, task_id, state: "running", file_name: "a.json", report: "{}" } as const;
    const { id } = await server.db.insertInto("imports").values(values).returning("id").executeTakeFirstOrThrow();
    await removeLeftovers(server.services);
    const row = await server.db.selectFrom("imports").select("state").where("id", "=", id).executeTakeFirst();
    expect(row?.state ?? "removed").not.toBe("running");
  });
});
