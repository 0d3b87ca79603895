import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../server/db/open/database";
import type { Schema } from "../../../server/db/schema";
import { transaction } from "../../../server/db/transaction";
import { doOnce } from "../../../server/middleware/doOnce";
import { COMMAND_HEADER } from "../../../shared/api/protocol/headers";
import { describeOnBothDatabases, describeOnServer, type TestDatabase } from "../../support/databases";
import { eventually } from "../../support/eventually";
import { startServer, type TestServer, type TestUser } from "../../support/server";

function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

describeOnBothDatabases("a command with an id", (open) => {
  let server: TestServer;
  let ann: TestUser;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann", { admin: true });
  });
  afterAll(() => server.close());

  const named = (id: string = randomUUID()) => ({ headers: { "X-Limn-Command": id } });
  const tokens = async () => (await ann.get("user/tokens")).body.tokens.length;

  test("a command is executed once, and every sender gets the response", async () => {
    const command = named();
    const body = { name: "script", expires_in_days: null };
    const [first, second] = await Promise.all([
      ann.post("user/tokens", body, command),
      ann.post("user/tokens", body, command),
    ]);
    const third = await ann.post("user/tokens", body, command);
    expect(first.status).toBe(200);
    expect([second.text, third.text]).toEqual([first.text, first.text]);
    expect(await tokens()).toBe(1);
    expect((await ann.post("user/tokens", body, named())).body.secret).not.toBe(first.body.secret);
    expect((await ann.post("user/tokens", body)).status).toBe(200);
    expect(await tokens()).toBe(3);
  });

  test("reports a deletion although the row is already gone", async () => {
    const { id } = (await ann.post("dataset/", { name: "Gone" })).body;
    const command = named();
    expect((await ann.delete(`dataset/${id}`, command)).status).toBe(200);
    expect((await ann.delete(`dataset/${id}`, command)).body).toEqual({ success: true });
    expect((await ann.delete(`dataset/${id}`, named())).status).toBe(404);
  });

  test("a command is executed again after a failure", async () => {
    const command = named();
    expect((await ann.post("dataset/", { name: "Gone" }, command)).status).toBe(409);
    await ann.delete(`undo/?id=${(await ann.get("undo/list/?type=dataset&limit=50")).body[0].id}&instance=dataset`);
    await server.db.updateTable("datasets").set({ purged_at: new Date() }).where("name", "=", "Gone").execute();
    expect((await ann.post("dataset/", { name: "Gone" }, command)).status).toBe(200);
  });

  test("an id is distinct for another user, another call and another target", async () => {
    const command = named();
    const bob = await server.user("bob");
    const body = { name: "of both", expires_in_days: null };
    const mine = await ann.post("user/tokens", body, command);
    const others = await bob.post("user/tokens", body, command);
    expect(others.body.secret).not.toBe(mine.body.secret);
    const [{ id }] = (await ann.get("user/tokens")).body.tokens;
    expect((await ann.delete(`user/tokens/${id}`, command)).status).toBe(200);
    expect((await ann.delete(`user/tokens/${id + 1000}`, command)).status).toBe(404);
  });

  test("a command needs the same rights as without an id, also when it is sent again", async () => {
    const command = named();
    const eve = await server.user("eve", { admin: true });
    const account = { username: "made.by.eve", password: "correct horse" };
    expect((await eve.post("admin/user/", account, command)).status).toBe(200);
    await server.db.updateTable("users").set({ is_admin: false }).where("id", "=", eve.id).execute();
    expect((await eve.post("admin/user/", account, command)).status).toBe(403);
    expect((await server.visitor().post("admin/user/", account, command)).status).toBe(401);
  });

  test("a command with a malformed id is refused", async () => {
    for (const id of ["short", "x".repeat(65), "with blanks in between it"])
      expect((await ann.post("dataset/", { name: "Never" }, named(id))).status).toBe(400);
  });

  test("a command is executed again if its outcome is too long to be stored, unless it has changed something", async () => {
    const headers = { [COMMAND_HEADER]: randomUUID() };
    const lengths = [10, 300_000, 300_000, 10];
    const results = [];
    for (const [i, length] of lengths.entries())
      results.push(await doOnce(server.db, headers, `of ${length}`, async () => i + "x".repeat(length)));
    expect(results.map((text) => text[0])).toEqual(["0", "1", "2", "0"]);
    const write = async () => {
      await server.db.updateTable("users").set({ name: "Ann" }).where("id", "=", ann.id).execute();
      return "x".repeat(300_000);
    };
    await doOnce(server.db, headers, "that writes", write);
    await expect(doOnce(server.db, headers, "that writes", write)).rejects.toMatchObject({ code: "outcome_unknown" });
  });

  test("a command's outcome is stored in the database, where it can be read only with the command's id", async () => {
    const command = named();
    const { secret } = (await ann.post("user/tokens", { name: "kept", expires_in_days: null }, command)).body;
    const rows = await server.db.selectFrom("commands").selectAll().execute();
    const kept = rows.filter(({ outcome }) => outcome !== null);
    expect(kept.length).toBeGreaterThan(0);
    for (const row of kept) {
      expect(JSON.stringify(row)).not.toContain(command.headers["X-Limn-Command"]);
      expect(Buffer.from(row.outcome ?? "", "base64").toString("latin1")).not.toContain(secret);
    }
  });

  test("a command that failed after a change is executed again", async () => {
    const headers = { [COMMAND_HEADER]: randomUUID() };
    let tries = 0;
    const act = async () => {
      tries += 1;
      await server.db
        .updateTable("users")
        .set({ name: `Ann ${tries}` })
        .where("id", "=", ann.id)
        .execute();
      if (tries === 1) throw new Error("after the change");
      return "done";
    };
    await expect(doOnce(server.db, headers, "that fails", act)).rejects.toThrow("after the change");
    expect(await doOnce(server.db, headers, "that fails", act)).toBe("done");
  });
});

describeOnServer("a command with an id that reaches two processes", (open) => {
  let database: TestDatabase;
  let other: Database;
  const headers = () => ({ [COMMAND_HEADER]: randomUUID() });
  const names = async () => (await database.db.selectFrom("users").select("username").execute()).map((u) => u.username);
  const add = (db: Kysely<Schema>, username: string) => db.insertInto("users").values({ username }).execute();
  beforeAll(async () => {
    database = await open();
    other = await openDatabase({ DATABASE_URL: database.url ?? "", DATA_DIR: "" });
    return () => other.close();
  });

  test("one of the processes executes the command, and both respond", async () => {
    const command = headers();
    const by = (db: Kysely<Schema>, name: string) =>
      doOnce(db, command, "add", async () => {
        await add(db, name);
        await wait(300);
        return name;
      });
    const outcomes = await Promise.all([by(database.db, "first"), by(other.db, "second")]);
    expect(new Set(outcomes).size).toBe(1);
    expect(await names()).toEqual([outcomes[0]]);
    expect(await by(other.db, "third")).toBe(outcomes[0]);
  });

  test("the other process stores the command if the first has been away for longer than its lease", async () => {
    const command = headers();
    const taken = signal();
    const slow = doOnce(database.db, command, "add", async () => {
      await taken.given;
      await transaction(database.db, (trx) => add(trx, "slow"));
      return "slow";
    }).catch((error) => error);
    const endLease = () =>
      other.db
        .updateTable("commands")
        .set({ until: new Date(0) })
        .where("outcome", "is", null)
        .executeTakeFirstOrThrow();
    await eventually(async () => expect((await endLease()).numUpdatedRows).toBe(1n));
    const quick = await doOnce(other.db, command, "add", async () => {
      await transaction(other.db, (trx) => add(trx, "quick"));
      return "quick";
    });
    taken.give();
    expect(quick).toBe("quick");
    expect(await slow).toMatchObject({ status: 503 });
    expect(await names()).not.toContain("slow");
    expect(await names()).toContain("quick");
    expect(await doOnce(database.db, command, "add", async () => "again")).toBe("quick");
  });
});
