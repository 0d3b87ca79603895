import { type Kysely, sql, type Transaction } from "kysely";
import { unavailable } from "../base/errors";
import type { Schema } from "../db/schema";
import type { TaskState } from "../db/schema/tasks";
import { runsInOrder } from "./claim";
import type { Payload } from "./task";

/** Channel on which PostgreSQL notifies the runners of all processes to check the queue. */
export const TASK_CHANNEL = "limn_tasks";

export interface NewTask {
  kind: string;
  name: string;
  /** Only one task with the same key may be queued or running, e.g. "scan:5". */
  key: string;
  payload: Payload;
  creatorId: number | null;
  datasetId: number | null;
}

/** A task that a call has queued, or found. */
export interface Started {
  id: number;
  name: string;
  /** True if a task with the same key was queued or running already. */
  existing: boolean;
}

/**
 * Queues a task in the caller's transaction; after the commit the caller must wake the runner. If a task with the same
 * key is queued or running already, returns that task (`existing`) and lets the creator follow it.
 */
export async function enqueue(trx: Transaction<Schema>, task: NewTask): Promise<Started> {
  // Otherwise a task could be claimed before an earlier one is committed, for which it must wait.
  if (runsInOrder(task.kind))
    await sql`select from datasets where id = ${task.datasetId} for no key update`.execute(trx);
  for (let tries = 0; tries < 5; tries++) {
    const made = await insertTask(trx, task);
    if (made) {
      await notifyRunners(trx);
      return { ...made, existing: false };
    }
    const open = await openTask(trx, task.key);
    if (open) {
      await follow(trx, open.id, task.creatorId);
      return { ...open, existing: true };
    }
  }
  throw unavailable();
}

function insertTask(trx: Transaction<Schema>, { kind, name, key, payload, creatorId, datasetId }: NewTask) {
  return trx
    .insertInto("tasks")
    .values({ kind, name, key, payload: JSON.stringify(payload), creator_id: creatorId, dataset_id: datasetId })
    .onConflict((conflict) => conflict.column("key").where("state", "in", ["queued", "running"]).doNothing())
    .returning(["id", "name"])
    .executeTakeFirst();
}

function openTask(trx: Transaction<Schema>, key: string) {
  return trx
    .selectFrom("tasks")
    .select(["id", "name"])
    .where("key", "=", key)
    .where("state", "in", ["queued", "running"])
    .executeTakeFirst();
}

async function follow(trx: Transaction<Schema>, taskId: number, userId: number | null): Promise<void> {
  if (userId === null) return;
  await trx
    .insertInto("task_followers")
    .values({ task_id: taskId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Cancels a task. One that was never run is cancelled immediately. The runners end the others: a running one when its
 * worker is notified, and one that is in the queue again at its next turn, since it may have to finish or remove what
 * an earlier attempt has stored. Returns the new state; undefined if the task has ended or does not exist. The caller
 * must wake the runner.
 */
export async function requestCancel(db: Kysely<Schema>, id: number): Promise<TaskState | undefined> {
  const isUnstarted = sql`state = 'queued' and started_at is null`;
  const row = await db
    .updateTable("tasks")
    .set({
      cancel_requested: true,
      state: sql`case when ${isUnstarted} then 'cancelled' else state end`,
      finished_at: sql`case when ${isUnstarted} then now() end`,
    })
    .where("id", "=", id)
    .where("state", "in", ["queued", "running"])
    .returning("state")
    .executeTakeFirst();
  if (row && row.state !== "cancelled") await notifyRunners(db);
  return row?.state;
}

async function notifyRunners(db: Kysely<Schema>): Promise<void> {
  await sql`select pg_notify(${TASK_CHANNEL}, '')`.execute(db);
}
