import { type Kysely, sql } from "kysely";
import type { Json } from "../../shared/entities/scalars";
import type { Schema, TaskRow, TaskState } from "../db/schema";

/** A task in the hands of a worker. */
export interface Claim {
  id: number;
  worker: string;
  attempt: number;
}

export const LEASE_SECONDS = 30;
const leaseEnd = sql<Date>`now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`;

/**
 * Also one that ends later than any lease can: the database's clock was set back. Nobody would take over for as long as
 * that, and a living worker renews its own before long.
 */
const isRunOut = sql<boolean>`(lease_until < now() or lease_until > now() + make_interval(secs => ${sql.lit(2 * LEASE_SECONDS)}))`;

/** Takes the oldest task that is queued or whose worker died. Of many who ask at once each gets another. */
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
        .where((or) => or.or([or("state", "=", "queued"), or.and([or("state", "=", "running"), isRunOut])]))
        .orderBy("id")
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Renews the leases. Returns those that still are the worker's. */
export function renewLeases(db: Kysely<Schema>, worker: string) {
  return db
    .updateTable("tasks")
    .set({ lease_until: leaseEnd })
    .where("worker", "=", worker)
    .where("state", "=", "running")
    .returning(["id", "attempts", "cancel_requested"])
    .execute();
}

/** Stores how far a task is; false when it is no longer this worker's. */
export async function storeProgress(
  db: Kysely<Schema>,
  claim: Claim,
  counts: { progress: number; warnings: number; errors: number },
): Promise<boolean> {
  const { numUpdatedRows } = await mine(db, claim).set(counts).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends a task; false when it is no longer this worker's. */
export async function endTask(
  db: Kysely<Schema>,
  claim: Claim,
  state: Extract<TaskState, "done" | "failed" | "cancelled">,
  result?: Json,
): Promise<boolean> {
  const { numUpdatedRows } = await mine(db, claim)
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

/** Puts a task back into the queue. `counts`: whether this attempt counts among those after which it is given up. */
export async function handBack(db: Kysely<Schema>, claim: Claim, counts: boolean): Promise<void> {
  await mine(db, claim)
    .set({
      state: "queued",
      worker: null,
      lease_until: null,
      ...(!counts && { attempts: sql`attempts - 1` }),
    })
    .executeTakeFirst();
}

/** For the only process of a database, at its start: whatever seems to run was left by a dead one. */
export async function handBackAll(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable("tasks")
    .set({ state: "queued", worker: null, lease_until: null })
    .where("state", "=", "running")
    .execute();
}

/** The fence: only while worker and attempt are still those of the claim. */
function mine(db: Kysely<Schema>, { id, worker, attempt }: Claim) {
  return db
    .updateTable("tasks")
    .where("id", "=", id)
    .where("worker", "=", worker)
    .where("attempts", "=", attempt)
    .where("state", "=", "running");
}
