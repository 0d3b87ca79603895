import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../../server/db/open/database";
import { runnerOfUpkeep } from "../../../../server/db/open/runAlone";
import { describeOnBothDatabases, describeOnServer } from "../../../support/databases";

describeOnServer("upkeep in two processes", (open) => {
  let one: Database;
  let other: Database;
  beforeAll(async () => {
    const database = await open();
    one = database;
    other = await openDatabase({ DATABASE_URL: database.url, DATA_DIR: "" });
    return () => other.close();
  });

  test("runs in one at a time, and in the other one afterwards", async () => {
    const ran: string[] = [];
    await runnerOfUpkeep(one)("trash", async () => {
      await runnerOfUpkeep(other)("trash", async () => ran.push("the same kind"));
      await runnerOfUpkeep(other)("history", async () => ran.push("another kind"));
    });
    expect(ran).toEqual(["another kind"]);
    await runnerOfUpkeep(other)("trash", async () => ran.push("later"));
    expect(ran).toEqual(["another kind", "later"]);
  });

  test("a failure ends the turn, and is passed on", async () => {
    const failing = runnerOfUpkeep(one)("trash", () => Promise.reject(new Error("failed")));
    await expect(failing).rejects.toThrow("failed");
    let ran = false;
    await runnerOfUpkeep(other)("trash", async () => {
      ran = true;
    });
    expect(ran).toBe(true);
  });

  test("a process whose connection is lost has no turn any more", async () => {
    let ran = false;
    const cut = runnerOfUpkeep(one)("trash", async () => {
      await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())`.execute(other.db);
      const tryOther = () =>
        runnerOfUpkeep(other)("trash", async () => {
          ran = true;
        });
      await expect.poll(() => tryOther().then(() => ran)).toBe(true);
    });
    await expect(cut).rejects.toThrow();
  });
});

describeOnBothDatabases("upkeep", (open) => {
  test("runs, and may use the database", async () => {
    const database = await open();
    const seen: unknown[] = [];
    await runnerOfUpkeep(database)("start", async () => {
      seen.push((await sql<{ one: number }>`select 1 as one`.execute(database.db)).rows[0]?.one);
    });
    expect(seen).toEqual([1]);
  });
});
