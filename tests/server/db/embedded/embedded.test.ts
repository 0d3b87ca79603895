import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { ConfigurationError, codeOf, errorFromSql } from "../../../../server/base/errors";
import { askHolder, lockFolder } from "../../../../server/db/dataFolder/folderLock";
import { openPglite } from "../../../../server/db/embedded/embedded";
import { pglitePool } from "../../../../server/db/embedded/pglitePool";
import { startPgliteThread } from "../../../../server/db/embedded/pgliteThread";
import { startRestartingThread } from "../../../../server/db/embedded/restartingThread";
import { type Database, openDatabase } from "../../../../server/db/open/database";
import { embeddedTemplate } from "../../../support/databases";
import { temporaryFolder } from "../../../support/folders";
import { folderWithoutTables, installedFolder } from "../../../support/installedFolder";
import { startProgram } from "../../../support/processes";

const WRITER = "tests/support/writer.ts";

describe("the embedded database", () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });
  const open = async (folder: string): Promise<Database> => {
    const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined });
    opened.push(database);
    return database;
  };

  it("finds the stored rows after a clean stop", async () => {
    const folder = await installedFolder();
    const { db } = await open(folder);
    await db.insertInto("users").values({ username: "anna" }).execute();
    await opened.pop()?.close();
    const again = await open(folder);
    expect(await again.db.selectFrom("users").select("username").execute()).toEqual([{ username: "anna" }]);
  });

  it("refuses a second process on the same folder, which takes over after the first is killed", async () => {
    const folder = await installedFolder();
    const first = startProgram(WRITER, [], { DATA_DIR: folder, WRITE: "0", DATABASE_URL: "" });
    await first.line(/^open$/);
    const second = startProgram(WRITER, [], { DATA_DIR: folder, WRITE: "0", DATABASE_URL: "" });
    expect(await second.line(/refused/)).toBe(
      `refused: The data folder ${folder} is in use by another Limn process. Stop it first.`,
    );
    expect(await second.ended).toBe(1);
    await first.kill("SIGKILL");
    await open(folder);
  });

  it("loses nothing acknowledged and stores nothing partially when killed while writing", async () => {
    const folder = await installedFolder();
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round++) {
      const writer = startProgram(WRITER, [], { DATA_DIR: folder, DATABASE_URL: "" });
      await writer.line(/^stored \d+-20$/);
      await writer.kill("SIGKILL");
      acknowledged.push(...writer.lines.filter((line) => line.startsWith("stored ")).map((line) => line.slice(7)));
    }
    const { db } = await open(folder);
    const users = await db.selectFrom("users").select("username").execute();
    const stored = new Set(users.map((user) => user.username));
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
    const halves = await db
      .selectFrom("users")
      .leftJoin("datasets", "datasets.owner_id", "users.id")
      .where("datasets.id", "is", null)
      .select("username")
      .execute();
    expect(halves).toEqual([]);
  });

  it("reports a folder made by another PostgreSQL version", async () => {
    const folder = await installedFolder();
    await open(folder);
    await opened.pop()?.close();
    const file = join(folder, "db/PG_VERSION");
    expect(readFileSync(file, "utf8").trim()).toBe("18");
    writeFileSync(file, "17\n");
    await expect(open(folder)).rejects.toThrow(
      /was made by PostgreSQL 17, and this Limn has 18\. .* restore .*npm run restore -- FILE --force$/,
    );
    writeFileSync(file, "18\n");
    await open(folder);
  });

  it("does not touch a folder that is not a database", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "db"));
    writeFileSync(join(folder, "db/notes.txt"), "mine");
    await expect(open(folder)).rejects.toThrow(ConfigurationError);
    expect(readFileSync(join(folder, "db/notes.txt"), "utf8")).toBe("mine");
  });

  it("starts from scratch if the first start was interrupted", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "db.new"));
    writeFileSync(join(folder, "db.new/PG_VERSION"), "18\n");
    await open(folder);
  });

  it("reports the death of its thread, and returns an error instead of waiting", async () => {
    const lost: Error[] = [];
    const { db, thread, close } = await openPglite(await embeddedTemplate(), (error) => lost.push(error));
    const question = sql`select pg_sleep(20)`.execute(db).catch((e: unknown) => e);
    thread.terminate();
    const error = await question;
    expect(codeOf(error)).toBe("57P02");
    expect(errorFromSql(error)?.status).toBe(503);
    expect(lost).toHaveLength(1);
    await expect(sql`select 1`.execute(db)).rejects.toThrow(/ended/);
    await close();
  });

  it("restarts after the death of its thread; a transaction begun before fails and does not continue", async () => {
    const folder = await folderWithoutTables();
    const lasting = await startRestartingThread({ dir: join(folder, "db") }, (error) => {
      throw error;
    });
    const pool = pglitePool(lasting);
    const client = await pool.connect();
    await client.query("create table t (n int)", []);
    await client.query("insert into t values (1)", []);
    await client.query("begin", []);
    await client.query("insert into t values (2)", []);
    const first = lasting.current();
    first.terminate();
    await expect(client.query("insert into t values (3)", [])).rejects.toMatchObject({ code: "57P02" });
    while (lasting.current() === first) await new Promise((resolve) => setTimeout(resolve, 20));
    // On a busy machine the transaction may also have been idle for too long (25P03).
    await expect(client.query("commit", [])).rejects.toMatchObject({ code: expect.stringMatching(/57P02|25P03/) });
    client.release();
    const next = await pool.connect();
    expect(await next.query("select n from t", [])).toHaveProperty("rows", [{ n: 1 }]);
    next.release();
    await pool.end();
  });

  it("dies rather than returning an empty result when its code traps", async () => {
    const lost: Error[] = [];
    const { db, close } = await openPglite(await embeddedTemplate(), (error) => lost.push(error));
    const bottomless = "[".repeat(2_000_000) + "]".repeat(2_000_000);
    const error: unknown = await sql`select ${bottomless}::jsonb is null as no`.execute(db).catch((e) => e);
    expect(codeOf(error)).toBe("57P02");
    expect(lost).toHaveLength(1);
    await close();
  });

  it("refuses a call on db inside a transaction on db after a wait, instead of deadlocking", async () => {
    const thread = await startPgliteThread(await embeddedTemplate(), () => undefined);
    const pool = pglitePool({ current: () => thread, close: thread.close }, { checkout: 50, idle: 60_000 });
    const held = await pool.connect();
    const error: unknown = await pool.connect().catch((e) => e);
    expect(codeOf(error)).toBe("53300");
    expect(errorFromSql(error)?.status).toBe(503);
    held.release();
    (await pool.connect()).release();
    await pool.end();
  });

  it("rolls back a transaction that is idle for too long, so that others continue", async () => {
    const thread = await startPgliteThread(await embeddedTemplate(), () => undefined);
    const pool = pglitePool({ current: () => thread, close: thread.close }, { checkout: 5_000, idle: 50 });
    const idler = await pool.connect();
    await idler.query("create table t (n int)", []);
    await idler.query("begin", []);
    await idler.query("insert into t values (1)", []);
    const other = await pool.connect();
    expect(await other.query("select * from t", [])).toHaveProperty("rows", []);
    other.release();
    const error: unknown = await idler.query("commit", []).catch((e: unknown) => e);
    expect(codeOf(error)).toBe("25P03");
    idler.release();
    await pool.end();
  });
});

describe("the folder lock", () => {
  it("lets another process send the holder a command", async () => {
    const folder = temporaryFolder();
    expect(await askHolder(folder, "backup")).toBeUndefined();
    const lock = await lockFolder(folder);
    lock.onCommand("backup", async () => "file.gz");
    lock.onCommand("break", async () => {
      throw new Error("disk full");
    });
    expect(await askHolder(folder, "backup")).toBe("file.gz");
    await expect(askHolder(folder, "break")).rejects.toThrow("disk full");
    await expect(askHolder(folder, "dance")).rejects.toThrow(/does not know/);
    lock.release();
    expect(await askHolder(folder, "backup")).toBeUndefined();
  });

  it("works if the folder's path is too long for a socket", async () => {
    const folder = join(temporaryFolder(), "x".repeat(120));
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(ConfigurationError);
    lock.release();
    (await lockFolder(folder)).release();
  });

  it("exactly one of many processes that find a dead holder's lock acquires it", async () => {
    const folder = await installedFolder();
    const dead = startProgram(WRITER, [], { DATA_DIR: folder, WRITE: "0", DATABASE_URL: "" });
    await dead.line(/^open$/);
    await dead.kill("SIGKILL");
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
    const winners = results.filter((result) => result.status === "fulfilled");
    expect(winners).toHaveLength(1);
    winners[0]?.value.release();
  });
});
