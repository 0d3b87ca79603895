import { sql } from "kysely";
import { afterEach, expect, it } from "vitest";
import { ConfigurationError, errorFromSql } from "../../../server/base/errors";
import { type Database, openDatabase } from "../../../server/db/open/database";
import { preparedStatement } from "../../../server/db/preparedStatements";
import { transaction } from "../../../server/db/transaction";
import { createServerDatabase, describeOnServer } from "../../support/databases";

describeOnServer("the database server", (open) => {
  const opened: Database[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });
  const start = async (url: string) => {
    const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: "" });
    opened.push(database);
    return database;
  };

  it("migrates once if several processes start at once on an empty database", async () => {
    const url = await createServerDatabase("template0");
    const [one] = await Promise.all([start(url), start(url), start(url), start(url)]);
    const { rows } = await sql`select name from kysely_migration`.execute(one.db);
    expect(rows[0]).toEqual({ name: "0001-ground" });
    expect(await one.db.selectFrom("users").selectAll().execute()).toEqual([]);
  });

  it("refuses tables that are newer than the program", async () => {
    const url = await createServerDatabase("limn_template");
    const { db } = await start(url);
    await sql`insert into kysely_migration values ('9999-future', '2999-01-01')`.execute(db);
    await expect(start(url)).rejects.toThrow(/^The database was made by a newer Limn: .*9999-future/);
    await expect(start(url)).rejects.toThrow(ConfigurationError);
  });

  it("reports a server that does not respond, or not to this user name", async () => {
    await expect(start("postgres://127.0.0.1:1/limn")).rejects.toThrow(ConfigurationError);
    await expect(start("postgres://me:secret@127.0.0.1:1/limn")).rejects.toThrow(/^(?!.*secret)The database at/);
  });

  it("refuses a query on another connection inside a transaction in tests, and allows it afterwards", async () => {
    const { db } = await open();
    const nested = transaction(db, () => sql`select 1`.execute(db));
    await expect(nested).rejects.toThrow("Inside a transaction, use only trx.");
    expect(await transaction(db, async (trx) => (await sql`select 1`.execute(trx)).rows)).toHaveLength(1);
    let later: Promise<unknown> | undefined;
    await transaction(db, async () => {
      later = new Promise((resolve) => setTimeout(resolve, 20)).then(() => sql`select 1`.execute(db));
    });
    await later;
  });

  it("continues after its connections were cut", async () => {
    const { db } = await open();
    await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.05)`.execute(db)));
    const cut = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
    expect(cut.rows.length).toBeGreaterThan(1);
    const statuses: (number | undefined)[] = [];
    while (statuses.at(-1) !== 200 && statuses.length < 20) {
      await sql`select 1`.execute(db).then(
        () => statuses.push(200),
        (error) => statuses.push(errorFromSql(error)?.status),
      );
    }
    expect(statuses.filter((status) => status !== 503)).toEqual([200]);
  });

  it("prepares queries again after another version has changed their table, also within a transaction", async () => {
    const { db } = await open();
    await db.insertInto("users").values({ username: "ann" }).execute();
    const users = (on: typeof db) => on.selectFrom("users").selectAll().modifyEnd(preparedStatement).execute();
    const addColumn = (name: string) => sql`alter table users add column ${sql.ref(name)} text`.execute(db);
    expect(await users(db)).toHaveLength(1);
    await addColumn("one");
    expect(await users(db)).toMatchObject([{ username: "ann", one: null }]);
    await addColumn("two");
    expect(await transaction(db, users)).toMatchObject([{ username: "ann", two: null }]);
  });

  it("stops waiting for a lock with status 503", async () => {
    const url = await createServerDatabase("limn_template");
    const { db } = await start(url);
    const other = await start(url);
    await db.insertInto("users").values({ username: "held" }).execute();
    await db.transaction().execute(async (trx) => {
      await trx.updateTable("users").set({ name: "a" }).execute();
      const error: unknown = await other.db
        .updateTable("users")
        .set({ name: "b" })
        .execute()
        .catch((e) => e);
      expect(errorFromSql(error)?.status).toBe(503);
    });
  });
});
