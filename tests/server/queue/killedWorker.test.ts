import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { describeOnServer, openServer } from "../../support/databases";
import { temporaryFolder } from "../../support/folders";
import { installedFolder } from "../../support/installedFolder";
import { startProgram } from "../../support/processes";

const WORKER = "tests/support/taskWorker.ts";
const words = (journal: string) =>
  readFileSync(journal, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[0]);

describe("a killed worker (embedded)", () => {
  it("the next process finishes its task once", async () => {
    const folder = await installedFolder();
    const env = { DATA_DIR: folder, JOURNAL: join(folder, "journal"), DATABASE_URL: "" };
    const first = startProgram(WORKER, [], { ...env, ADD: "1", STUCK: "1" });
    await first.line(/^begin$/);
    await first.kill("SIGKILL");
    const second = startProgram(WORKER, [], env);
    await second.line(/^done$/);
    await second.kill("SIGTERM");
    expect(words(env.JOURNAL)).toEqual(["begin", "begin", "end"]);
  });

  it("hands its task back when asked to stop, and exits", async () => {
    const folder = await installedFolder();
    const env = { DATA_DIR: folder, JOURNAL: join(folder, "journal"), DATABASE_URL: "" };
    const first = startProgram(WORKER, [], { ...env, ADD: "1", STUCK: "1" });
    await first.line(/^begin$/);
    expect(await first.kill("SIGTERM")).toBe(0);
    expect(first.lines).toContain("queued");
  });
});

describeOnServer("a killed worker", () => {
  it("another worker finishes its task once after the lease expires", async () => {
    const database = await openServer();
    const folder = temporaryFolder();
    const env = { DATA_DIR: folder, JOURNAL: join(folder, "journal"), DATABASE_URL: database.url };
    const first = startProgram(WORKER, [], { ...env, ADD: "1", STUCK: "1" });
    await first.line(/^begin$/);
    const second = startProgram(WORKER, [], env);
    await second.line(/^ready$/);
    await first.kill("SIGKILL");
    expect(words(env.JOURNAL)).toEqual(["begin"]);
    // Lets the lease of 30 seconds expire.
    await sql`update tasks set lease_until = lease_until - interval '30 s'`.execute(database.db);
    await second.line(/^done$/);
    await second.kill("SIGTERM");
    expect(words(env.JOURNAL)).toEqual(["begin", "begin", "end"]);
    const task = await database.db.selectFrom("tasks").selectAll().executeTakeFirstOrThrow();
    expect(task).toMatchObject({ state: "done", attempts: 2 });
    await database.close();
  });

  it("continues with new tasks after all connections were cut", async () => {
    const database = await openServer();
    const folder = temporaryFolder();
    const env = { DATA_DIR: folder, JOURNAL: join(folder, "journal"), DATABASE_URL: database.url };
    const worker = startProgram(WORKER, [], env);
    await worker.line(/^ready$/);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db);
    await sql`insert into tasks (kind, name, key) values ('slow', 'Slow', 'slow')`.execute(database.db);
    await worker.line(/^done$/);
    expect(await worker.kill("SIGTERM")).toBe(0);
    await database.close();
  });
});
