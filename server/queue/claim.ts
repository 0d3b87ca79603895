import { type Kysely, sql } from "kysely";
import type { Json } from "../../shared/entities/scalars";
import type { TaskKind } from "../../shared/entities/task";
import type { Schema, TaskRow } from "../db/schema";
import type { TaskState } from "../db/schema/tasks";

/** A worker's claim on a task: one attempt to run it. */
export interface Claim {
  id: number;
  worker: string;
  attempt: number;
}

export const LEASE_SECONDS = 30;
const leaseEnd = sql<Date>`now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`;

/**
 * True for an expired lease, and for one that ends later than any new lease would, since the database's clock was set
 * back: no worker could take over such a task for a long time. A live worker soon renews its own lease.
 */
const isExpired = sql<boolean>`(lease_until < now() or lease_until > now() + make_interval(secs => ${sql.lit(2 * LEASE_SECONDS)}))`;

/**
 * Kinds of tasks that run one at a time in each dataset, in the order of their ids: each compares a file with the
 * annotations that the earlier ones leave, and two at once would both store what their files have in common.
 */
const IN_ORDER: readonly TaskKind[] = ["import", "undoImport", "redoImport"];

export const runsInOrder = (kind: string): boolean => IN_ORDER.some((each) => each === kind);

/** True for a task that must wait for an earlier one of its dataset. */
const mustWait = sql<boolean>`(
  kind = any(${IN_ORDER}::text[]) and exists (
    select from tasks as earlier
    where earlier.state in ('queued', 'running') and earlier.id < tasks.id
      and earlier.dataset_id = tasks.dataset_id and earlier.kind = any(${IN_ORDER}::text[])))`;

/**
 * Claims the oldest task that is queued or whose worker died, and that need not wait for another one. Concurrent
 * callers get different tasks.
 */
export function claimTask(db: Kysely<Schema>, worker: string, kinds: string[]): Promise<TaskRow | undefined> {
  return db
    .updateTable("tasks")
    .set({
      state: "running",
      worker,
      attempts: sql`attempts + 1`,
      lease_until: leaseEnd,
      started_at: sql`coalesce(started_at, now())`,
    })
    .where("id", "=", (eb) =>
      eb
        .selectFrom("tasks")
        .select("id")
        .where("kind", "=", sql<string>`any(${kinds}::text[])`)
        .where((or) => or.or([or("state", "=", "queued"), or.and([or("state", "=", "running"), isExpired])]))
        .where(sql<boolean>`not ${mustWait}`)
        .orderBy("id")
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Renews the leases of a worker's tasks. Returns the tasks that still belong to the worker. */
export function renewLeases(db: Kysely<Schema>, worker: string) {
  return db
    .updateTable("tasks")
    .set({ lease_until: leaseEnd })
    .where("worker", "=", worker)
    .where("state", "=", "running")
    .returning(["id", "attempts", "cancel_requested"])
    .execute();
}

/** Progress of a running task, with its result so far. */
export interface Progress {
  progress: number;
  warnings: number;
  errors: number;
  result: Json | undefined;
}

/** Stores a task's progress. Returns false if the task no longer belongs to this worker. */
export async function storeProgress(
  db: Kysely<Schema>,
  claim: Claim,
  { result, ...counts }: Progress,
): Promise<boolean> {
  const { numUpdatedRows } = await updateClaimed(db, claim)
    .set({ ...counts, ...(result !== undefined && { result: JSON.stringify(result) }) })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends a task; its stored result stays if it is not done. Returns false if it no longer belongs to this worker. */
export async function endTask(
  db: Kysely<Schema>,
  claim: Claim,
  state: Extract<TaskState, "done" | "failed" | "cancelled">,
  result?: Json,
): Promise<boolean> {
  const { numUpdatedRows } = await updateClaimed(db, claim)
    .set({
      state,
      ...(state === "done" && {
        progress: 100,
        result: result === undefined || result === null ? null : JSON.stringify(result),
      }),
      finished_at: sql`now()`,
      worker: null,
      lease_until: null,
    })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Puts a task back into the queue. `counts`: true if this attempt counts towards the limit of attempts. */
export async function requeueTask(db: Kysely<Schema>, claim: Claim, counts: boolean): Promise<void> {
  await updateClaimed(db, claim)
    .set({
      state: "queued",
      worker: null,
      lease_until: null,
      ...(!counts && { attempts: sql`attempts - 1` }),
    })
    .executeTakeFirst();
}

/** Requeues all running tasks. Called when the only process of a database starts: a dead process has left them. */
export async function requeueRunningTasks(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable("tasks")
    .set({ state: "queued", worker: null, lease_until: null })
    .where("state", "=", "running")
    .execute();
}

/** Returns a fenced update: it applies only while the row still has the claim's worker and attempt. */
function updateClaimed(db: Kysely<Schema>, { id, worker, attempt }: Claim) {
  return db
    .updateTable("tasks")
    .where("id", "=", id)
    .where("worker", "=", worker)
    .where("attempts", "=", attempt)
    .where("state", "=", "running");
}
