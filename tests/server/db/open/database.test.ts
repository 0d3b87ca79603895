import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import { codeOf } from "../../../../server/base/errors";
import { transaction } from "../../../../server/db/transaction";
import { describeOnBothDatabases, type TestDatabase } from "../../../support/databases";

describeOnBothDatabases("the database", (open) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });

  it("returns the same types on both databases", async () => {
    const { rows } = await sql`select 9007199254740991::bigint as big, count(*) as count, 1.5::numeric as numeric,
      1.5::float8 as float, true as yes, null as nothing, '{"a":[1]}'::jsonb as json, array[1,2]::int[] as list,
      '2026-01-02T03:04:05.678Z'::timestamptz as time, '\\x0102'::bytea as bytes, 'é"\\' as text,
      gen_random_uuid() is not null as uuid from (values (1), (2)) as t`.execute(database.db);
    expect(rows).toEqual([
      {
        big: 9007199254740991,
        count: 2,
        numeric: "1.5",
        float: 1.5,
        yes: true,
        nothing: null,
        json: { a: [1] },
        list: [1, 2],
        time: new Date("2026-01-02T03:04:05.678Z"),
        bytes: Buffer.from([1, 2]),
        text: 'é"\\',
        uuid: true,
      },
    ]);
  });

  it("accepts the same parameters on both databases", async () => {
    const time = new Date("2026-01-02T03:04:05.678Z");
    const { rows } = await sql`select ${JSON.stringify([1, "a"])}::jsonb as json, ${[3, 4]}::int[] as list,
      ${time}::timestamptz as time, ${true}::boolean as yes, ${"5"}::int as text_as_number, ${7}::text as number_as_text,
      ${Buffer.from([255, 0])}::bytea as bytes, ${null}::int as nothing,
      2 = any(${[1, 2]}::int[]) as found`.execute(database.db);
    expect(rows).toEqual([
      {
        json: [1, "a"],
        list: [3, 4],
        time,
        yes: true,
        text_as_number: 5,
        number_as_text: "7",
        bytes: Buffer.from([255, 0]),
        nothing: null,
        found: true,
      },
    ]);
  });

  it("counts the rows that a change touched", async () => {
    const made = await database.db
      .insertInto("users")
      .values([{ username: "a" }, { username: "b" }])
      .executeTakeFirst();
    const changed = await database.db.updateTable("users").set({ name: "x" }).executeTakeFirst();
    const gone = await database.db.deleteFrom("users").where("username", "=", "a").executeTakeFirst();
    expect([made.numInsertedOrUpdatedRows, changed.numUpdatedRows, gone.numDeletedRows]).toEqual([2n, 2n, 1n]);
  });

  it("gives an error its code and constraint, and stays usable", async () => {
    await database.db.insertInto("users").values({ username: "Twice" }).execute();
    const error: unknown = await database.db
      .insertInto("users")
      .values({ username: "twice" })
      .execute()
      .catch((e) => e);
    expect(codeOf(error)).toBe("23505");
    expect(error).toHaveProperty("constraint", "users_username");
    expect(await sql`select 1 as one`.execute(database.db)).toHaveProperty("rows", [{ one: 1 }]);
  });

  it("keeps transactions isolated and atomic", async () => {
    await sql`create table accounts (id int primary key, money int not null check (money >= 0))`.execute(database.db);
    await sql`insert into accounts values (1, 100), (2, 100)`.execute(database.db);
    const move = (amount: number) =>
      transaction(database.db, async (trx) => {
        await sql`update accounts set money = money + ${amount} where id = 2`.execute(trx);
        await sql`update accounts set money = money - ${amount} where id = 1`.execute(trx);
        if (amount % 3 === 0) throw new Error("changed my mind");
      }).catch(() => undefined);
    await Promise.all(Array.from({ length: 60 }, (_, i) => move(i % 7)));
    const { rows } = await sql<{ total: number }>`select sum(money)::int as total from accounts`.execute(database.db);
    expect(rows).toEqual([{ total: 200 }]);
  });

  it("retries a transaction that conflicts with another", async () => {
    let tries = 0;
    const value = await transaction(database.db, async (trx) => {
      tries++;
      if (tries < 3) await sql`do $$ begin raise exception 'lost' using errcode = '40001'; end $$`.execute(trx);
      return "done";
    });
    expect([value, tries]).toEqual(["done", 3]);
  });
});
