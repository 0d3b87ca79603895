import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";

/** Milliseconds in which another change of a dataset by the same user is not stored: saves come every second. */
const PAUSE_MS = 10_000;
const MAX_RECENT = 1_000;

/** Times of the last stored changes, in milliseconds of performance.now(), by dataset and user. */
const recent = new WeakMap<Kysely<Schema>, Map<string, number>>();

/**
 * Stores that a user has changed these datasets, for their cards: at most once in ten seconds for each of them. Call it
 * after the commit of the change, so that it delays no other writer. A dataset whose row is locked is left out. Never
 * throws: the next change stores its own time.
 */
export async function noteActivity(
  db: Kysely<Schema>,
  userId: number,
  datasetIds: Iterable<number>,
  now = performance.now(),
): Promise<void> {
  const times = recent.get(db) ?? new Map<string, number>();
  recent.set(db, times);
  const due = [...new Set(datasetIds)].filter((id) => now - (times.get(`${id} ${userId}`) ?? -PAUSE_MS) >= PAUSE_MS);
  if (due.length === 0) return;
  if (times.size > MAX_RECENT) times.clear();
  for (const id of due) times.set(`${id} ${userId}`, now);
  try {
    await sql`
      update datasets set edited_at = now(), edited_by = ${userId}
      where id in (select id from datasets where id = any(${due}::int[]) for no key update skip locked)`.execute(db);
  } catch {
    // The change itself is stored: its call must not fail, or a script would repeat it.
    for (const id of due) times.delete(`${id} ${userId}`);
  }
}

/** Stores that the creator of a task has changed the task's dataset. */
export async function noteTaskActivity(db: Kysely<Schema>, taskId: number): Promise<void> {
  await sql`
    update datasets set edited_at = now(), edited_by = creator_id from tasks
    where tasks.id = ${taskId} and datasets.id = tasks.dataset_id and creator_id is not null`.execute(db);
}
