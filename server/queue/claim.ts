import { type Kysely, sql } from "kysely";
import type { Json } from "../../shared/entities/scalars";
import type { Schema, TaskRow, TaskState } from "../db/schema";

/** A worker's claim on a task: one attempt to run it. */
export interface Claim {
  id: number;
  worker: string;
  attempt: number;
}

export const LEASE_SECONDS = 30;
const leaseEnd = sql<Date>`now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`;

/**
 * True for an expired lease, and for one that ends later than any lease can because the database's clock was set back:
 * otherwise no worker could take over the task until then. A live worker soon renews its own lease.
 */
const isExpired = sql<boolean>`(lease_until < now() or lease_until > now() + make_interval(secs => ${sql.lit(2 * LEASE_SECONDS)}))`;

/** Claims the oldest task that is queued or whose worker died. Concurrent callers get different tasks. */
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
        .orderBy("id")
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Renews the leases of a worker's tasks. Returns the tasks that are still the worker's. */
export function renewLeases(db: Kysely<Schema>, worker: string) {
  return db
    .updateTable("tasks")
    .set({ lease_until: leaseEnd })
    .where("worker", "=", worker)
    .where("state", "=", "running")
    .returning(["id", "attempts", "cancel_requested"])
    .execute();
}

/** Stores a task's progress; returns false if the task is no longer this worker's. */
export async function storeProgress(
  db: Kysely<Schema>,
  claim: Claim,
  counts: { progress: number; warnings: number; errors: number },
): Promise<boolean> {
  const { numUpdatedRows } = await updateClaimed(db, claim).set(counts).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends a task; returns false if it is no longer this worker's. */
export async function endTask(
  db: Kysely<Schema>,
  claim: Claim,
  state: Extract<TaskState, "done" | "failed" | "cancelled">,
  result?: Json,
): Promise<boolean> {
  const { numUpdatedRows } = await updateClaimed(db, claim)
    .set({
      state,
      ...(state === "done" && { progress: 100 }),
      result: result === undefined || result === null ? null : JSON.stringify(result),
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

/** Requeues all running tasks. For the start of a database's only process: they were left by a dead one. */
export async function requeueRunningTasks(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable("tasks")
    .set({ state: "queued", worker: null, lease_until: null })
    .where("state", "=", "running")
    .execute();
}

/** Returns an update that is fenced: it applies only while worker and attempt are still those of the claim. */
function updateClaimed(db: Kysely<Schema>, { id, worker, attempt }: Claim) {
  return db
    .updateTable("tasks")
    .where("id", "=", id)
    .where("worker", "=", worker)
    .where("attempts", "=", attempt)
    .where("state", "=", "running");
}
