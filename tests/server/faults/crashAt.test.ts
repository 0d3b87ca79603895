import { openAsBlob } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, expect, it } from "vitest";
import { embeddedFolder, openPglite } from "../../../server/db/embedded/embedded";
import { currentVersion, migrate, SCHEMA_VERSION } from "../../../server/db/migrate";
import { openDatabase, openServerWithoutTimeouts } from "../../../server/db/open/database";
import { listTables } from "../../../server/db/tables";
import { type ExportedCoco, writeLargeCoco } from "../../support/coco";
import { createServerDatabase, describeOnBothDatabases } from "../../support/databases";
import { temporaryFolder } from "../../support/folders";
import { folderWithoutTables } from "../../support/installedFolder";
import { type LiveServer, startLiveServer } from "../../support/liveServer";
import { startProgram } from "../../support/processes";
import { TestClient } from "../../support/testClient";

const crash = (at: number, after: string) => ({
  NODE_OPTIONS: `--import ${pathToFileURL("tests/support/crashAt.mjs")}`,
  CRASH_AT: String(at),
  CRASH_AFTER: after,
});

describeOnBothDatabases("a process killed between two statements", (open, kind) => {
  let server: LiveServer | undefined;
  afterAll(() => server?.remove());

  it("a kill during migrations leaves a database that the next start migrates, with all rows", async () => {
    const DATA_DIR = kind === "embedded" ? await folderWithoutTables() : temporaryFolder();
    const DATABASE_URL = kind === "server" ? await createServerDatabase("template0") : undefined;
    const old = DATABASE_URL
      ? await openServerWithoutTimeouts(DATABASE_URL)
      : await openPglite({ dir: embeddedFolder(DATA_DIR) }, () => undefined);
    await migrate(old.db, "0003-empty-annotations");
    await sql`insert into users (username) select 'user' || n from generate_series(1, 500) as n`.execute(old.db);
    await old.close();
    const env = { DATA_DIR, DATABASE_URL: DATABASE_URL ?? "", WRITE: "0" };
    for (const at of [12, 25, 45]) {
      const program = startProgram("tests/support/writer.ts", [], { ...env, ...crash(at, "kysely_migration") });
      expect(await program.ended, program.lines.join("\n")).toBe("SIGKILL");
    }
    const { db, close } = await openDatabase({ DATA_DIR, DATABASE_URL });
    expect(await currentVersion(db)).toBe(SCHEMA_VERSION);
    const { count } = await db
      .selectFrom("users")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(count).toBe(500);
    const fresh = await open();
    expect(await listTables(db)).toEqual(await listTables(fresh.db));
    await close();
  });

  it("a kill during an import leaves a task that continues and ends with the exact counts", async () => {
    const annotations = 3_000;
    const file = join(temporaryFolder(), "large.json");
    await writeLargeCoco(file, 2, annotations, 5);
    const { url, db } = await open();
    server = await startLiveServer(url ? { DATABASE_URL: url } : {});
    const ann = new TestClient(server.url);
    await ann.post("user/register", { username: "ann", password: "secret" });
    const dataset = (await ann.post("dataset/", { name: "Crashed" })).body.id;
    const form = new FormData();
    for (const [n, background] of ["red", "blue"].entries()) {
      const image = sharp({ create: { width: 640, height: 480, channels: 3, background } });
      form.append("files", new Blob([new Uint8Array(await image.png().toBuffer())]), `${n + 1}.jpg`);
    }
    expect((await ann.request("POST", `dataset/${dataset}/upload`, { body: form })).status).toBe(200);
    await server.kill();

    let task = 0;
    for (const at of [1, 3, 7, 14]) {
      // Another process may only take the task once the lease of the dead one has expired, after 30 s.
      if (url) await sql`update tasks set lease_until = now() - interval '1 s' where state = 'running'`.execute(db);
      const started = server.start({ env: crash(at, 'insert into "?annotations') });
      // A resumed import may reach the crash before the server has responded once.
      await started.catch((error: Error) => expect(error.message).toContain("SIGKILL"));
      if (task === 0) {
        const body = new FormData();
        body.append("coco", await openAsBlob(file), "large.json");
        task = (await ann.request("POST", `dataset/${dataset}/coco`, { body })).body.id;
      }
      await server.ended();
    }
    if (url) await sql`update tasks set lease_until = now() - interval '1 s' where state = 'running'`.execute(db);
    await server.start();
    const state = async () =>
      (await ann.get("tasks/")).body.find(({ id }: { id: number }) => id === task) as {
        state: string;
        result: object;
      };
    await expect.poll(async () => (await state()).state).toBe("done");
    expect((await state()).result).toMatchObject({ created: annotations, matched: 0, skipped: {} });
    const exported = (await ann.get(`dataset/${dataset}/coco`)).body as ExportedCoco;
    expect(exported.annotations).toHaveLength(annotations);
    expect(new Set(exported.annotations.map(({ area }) => area)).size).toBe(annotations);
  });
});
