import { type Kysely, sql } from "kysely";
import type { RunAlone } from "../../db/open/runAlone";
import type { Schema } from "../../db/schema";

/** Rows per statement, few enough for a short statement on the embedded database. */
const PAGE = 1_000;
const EVERY_MS = 6 * 3_600_000;

/**
 * Deletes history entries and stored answers older than `days` days. Keeps the newest entry of each subject, and the
 * entries of images whose scenes were sent to older clients (`sent_scenes`). Returns the number of deleted history
 * entries. 0 days deletes nothing.
 */
export async function pruneHistory(db: Kysely<Schema>, days: number): Promise<number> {
  if (days === 0) return 0;
  const age = sql`now() - make_interval(days => ${days}::int)`;
  const answers = sql`
    delete from edits where uuid in (select uuid from edits where created_at < ${age} limit ${PAGE})`;
  while (Number((await answers.execute(db)).numAffectedRows ?? 0) === PAGE);
  let pruned = 0;
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number; is_old: boolean; is_needed: boolean }>`
      select h.id, h.created_at < ${age} as is_old, not exists (select from edit_history n where n.subject = h.subject
          and n.subject_id = h.subject_id and n.revision > h.revision)
        or exists (select from sent_scenes s where s.image_id = h.image_id) as is_needed
      from edit_history h where h.id > ${last} order by h.id limit ${PAGE}`.execute(db);
    const old = rows.filter((row) => row.is_old && !row.is_needed).map((row) => row.id);
    if (old.length > 0) await sql`delete from edit_history where id = any(${old}::bigint[])`.execute(db);
    pruned += old.length;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < PAGE || !rows.some((row) => row.is_old)) return pruned;
  }
}

/** Prunes every six hours until the returned function is called. `report` receives errors. */
export function pruneHistoryRegularly(
  db: Kysely<Schema>,
  days: number,
  runAlone: RunAlone,
  report: (error: unknown) => void,
): () => void {
  if (days === 0) return () => undefined;
  const timer = setInterval(() => runAlone("history", () => pruneHistory(db, days)).catch(report), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
