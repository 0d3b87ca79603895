import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { RunAlone } from "../../db/open/runAlone";
import type { Schema } from "../../db/schema";
import { datasetSums } from "./datasetSums";

/** Number of annotated images below which a dataset is summed quickly enough on request. */
const LARGE = 1_000;
const EVERY_MS = 60_000;
const FIRST_MS = 15_000;
/** Largest share of the time that rounds may take. */
const SHARE = 1 / 20;

/**
 * Refreshes the sums of large datasets in the background, including after an import or a restart, so that opening the
 * statistics does not have to sum a million annotations. Reads nothing while nothing is written. Returns a function
 * that stops it.
 */
export function refreshStatisticsRegularly(
  db: Kysely<Schema>,
  runAlone: RunAlone,
  report: (error: unknown) => void,
): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  void run(db, signal).catch((error) => {
    if (!signal.aborted) report(error);
  });
  return () => stopped.abort();

  async function run(db: Kysely<Schema>, signal: AbortSignal): Promise<void> {
    let seen = -1;
    for (let pause = FIRST_MS; ; ) {
      await wait(pause, undefined, { signal, ref: false });
      const started = performance.now();
      try {
        const written = await countWrites(db);
        // While another process refreshes, this one only tries again later.
        if (written !== seen)
          await runAlone("statistics", async () => {
            if (await refreshStatistics(db, report, signal)) seen = written;
          });
      } catch (error) {
        if (signal.aborted) return;
        report(error);
      }
      pause = Math.max(EVERY_MS, (performance.now() - started) / SHARE);
    }
  }
}

/**
 * Refreshes all large datasets once, even if one of them fails. After each block it pauses for as long as the block
 * took, to leave the database to other queries. Returns true if all succeeded.
 */
export async function refreshStatistics(
  db: Kysely<Schema>,
  report: (error: unknown) => void,
  signal?: AbortSignal,
): Promise<boolean> {
  let isComplete = true;
  const { rows } = await sql<{ id: number }>`
    select dataset_id as id from image_counts
    where dataset_id in (select id from datasets where deleted_at is null)
    group by dataset_id having sum(annotated) >= ${LARGE} order by dataset_id`.execute(db);
  const afterBlock = (milliseconds: number) => wait(milliseconds, undefined, { signal, ref: false });
  for (const { id } of rows)
    await datasetSums(db, id, { afterBlock }).catch((error) => {
      if (signal?.aborted) throw error;
      report(error);
      isComplete = false;
    });
  return isComplete;
}

/** Returns the number of rows written so far by the database's statistics, which are at most a second late. */
async function countWrites(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::bigint as number from pg_stat_user_tables
    where schemaname = current_schema() and relname in ('images', 'annotations', 'work_sessions', 'categories')`.execute(
    db,
  );
  return rows[0]?.number ?? 0;
}
