import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema";

/** More changed rows than this, and than a fifth of the table, are worth it: as PostgreSQL's own autovacuum decides. */
const FEW_ROWS = 1_000;
const SHARE = 0.2;

/**
 * Milliseconds. A statement that cannot be cut holds everybody up, so it waits for a quiet moment, but not for ever.
 */
const LOOK_MS = 15_000;
const EVERY_MS = 5 * 60_000;
const AT_LATEST_MS = 60 * 60_000;
const QUIET_MS = 10_000;

/** Of 300 times as many rows as this, a third of what is usual, plans are made: it takes a third of the time. */
const TARGET = 30;

/**
 * Frees the room of old row versions and counts the values that plans are made from, of tables where much has changed.
 * Table by table, and one after the other, so that nobody waits for all of it. Answers their names.
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
 * For the embedded database, which has no autovacuum. `quietMs` says for how many milliseconds no request has asked the
 * database. Returns a function that stops it.
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

/** True every five minutes, as soon as there is a quiet moment; after an hour without one all the same. */
export const isTimeToVacuum = (sinceLastMs: number, quietMs: number): boolean =>
  sinceLastMs >= (quietMs >= QUIET_MS ? EVERY_MS : AT_LATEST_MS);
