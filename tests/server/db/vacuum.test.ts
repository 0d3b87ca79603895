import { sql } from "kysely";
import { expect, it } from "vitest";
import { openDatabase } from "../../../server/db/open/database";
import { isTimeToVacuum, vacuumChanged } from "../../../server/db/vacuum";
import { installedFolder } from "../../support/installedFolder";

it("frees the rows that many updates left behind, once, and ignores small changes", async () => {
  const { db, close } = await openDatabase({ DATA_DIR: await installedFolder(), DATABASE_URL: undefined });
  try {
    await sql`insert into categories (name, color) select 'c' || n, '#123456' from generate_series(1, 3000) n`.execute(
      db,
    );
    await sql`update categories set supercategory = 'thing'`.execute(db);
    await sql`select pg_stat_force_next_flush()`.execute(db);
    expect(await vacuumChanged(db)).toContain("categories");
    const { rows } = await sql`select n_dead_tup, n_mod_since_analyze from pg_stat_user_tables
      where relname = 'categories'`.execute(db);
    expect(rows).toEqual([{ n_dead_tup: 0, n_mod_since_analyze: 0 }]);
    expect(await vacuumChanged(db)).toEqual([]);
    await sql`update categories set supercategory = 'other' where id < 100`.execute(db);
    await sql`select pg_stat_force_next_flush()`.execute(db);
    expect(await vacuumChanged(db)).toEqual([]);
  } finally {
    await close();
  }
});

it("waits for a quiet moment, but not forever", () => {
  const minutes = (count: number) => count * 60_000;
  expect([
    isTimeToVacuum(minutes(4), minutes(10)),
    isTimeToVacuum(minutes(5), minutes(1)),
    isTimeToVacuum(minutes(30), 2_000),
    isTimeToVacuum(minutes(60), 0),
  ]).toEqual([false, true, false, true]);
});
