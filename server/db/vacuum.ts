import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema";

/** Vacuums a table if more than this many rows plus a fifth of the table have changed, like PostgreSQL's autovacuum. */
const FEW_ROWS = 1_000;
const SHARE = 0.2;

/** Milliseconds. Vacuuming a table blocks all other queries, so it waits for a quiet moment, but not indefinitely. */
const LOOK_MS = 15_000;
const EVERY_MS = 5 * 60_000;
const AT_LATEST_MS = 60 * 60_000;
const QUIET_MS = 10_000;

/** Statistics target: samples 300 rows per unit. A third of the default, which takes a third of the time. */
const TARGET = 30;

/**
 * Frees the space of old row versions and updates the planner statistics of tables with many changes. Handles one table
 * at a time, so that other queries run in between. Returns the tables' names.
 */
export async function vacuumChanged(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
    where greatest(n_dead_tup, n_mod_since_analyze, n_ins_since_vacuum) > ${FEW_ROWS} + ${SHARE}::float * n_live_tup
    order by relname`.execute(db);
  for (const { name } of rows) {
    await sql`vacuum ${sql.id(name)}`.execute(db);
    await db.transaction().execute(async (trx) => {
      await sql`set local default_statistics_target = ${sql.lit(TARGET)}`.execute(trx);
      await sql`analyze ${sql.id(name)}`.execute(trx);
    });
  }
  return rows.map(({ name }) => name);
}

/**
 * Vacuums the embedded database, which has no autovacuum, at intervals. `quietMs` returns the milliseconds since the
 * last request. Returns a function that stops it.
 */
export function vacuumRegularly(
  db: Kysely<Schema>,
  quietMs: () => number,
  report: (error: unknown) => void,
): () => void {
  let last = performance.now();
  const timer = setInterval(() => {
    if (!isTimeToVacuum(performance.now() - last, quietMs())) return;
    last = performance.now();
    vacuumChanged(db).catch(report);
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Returns true after five minutes if the database is quiet, otherwise after an hour. */
export const isTimeToVacuum = (sinceLastMs: number, quietMs: number): boolean =>
  sinceLastMs >= (quietMs >= QUIET_MS ? EVERY_MS : AT_LATEST_MS);
