import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema";

/** More changed rows than this, and than a fifth of the table, are worth it: as PostgreSQL's own autovacuum decides. */
const FEW_ROWS = 1_000;
const SHARE = 0.2;
const EVERY_MS = 5 * 60_000;

/**
 * Frees the room of old row versions and counts the values that plans are made from, of tables where much has changed.
 * Table by table, so that nobody waits for all of them. Answers their names.
 */
export async function vacuumChanged(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
    where greatest(n_dead_tup, n_mod_since_analyze, n_ins_since_vacuum) > ${FEW_ROWS} + ${SHARE}::float * n_live_tup
    order by relname`.execute(db);
  for (const { name } of rows) await sql`vacuum (analyze) ${sql.id(name)}`.execute(db);
  return rows.map(({ name }) => name);
}

/** For the embedded database, which has no autovacuum. Answers how to stop it. */
export function vacuumRegularly(db: Kysely<Schema>, report: (error: unknown) => void): () => void {
  const timer = setInterval(() => vacuumChanged(db).catch(report), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
