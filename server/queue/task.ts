import type { Kysely } from "kysely";
import type { Json } from "../../shared/entities/scalars";
import type { Schema } from "../db/schema";

/**
 * Long work on the server. A row of the table `tasks` is queued, claimed by a worker (a runner in some process) under a
 * lease that a heartbeat renews, and ends done, failed or cancelled. When the worker dies the lease runs out and another
 * one claims the task and runs it again from the start, so a task function must do no harm when it is repeated, wholly
 * or from the middle. Fencing: what a worker writes about a task counts only while worker and attempt are still its own.
 */

/** Input of a task; its function parses it. */
export type Payload = { [key: string]: Json };

/** All that a task may touch, beside what the composition root hands down as `Extra`. */
export interface TaskHelpers {
  taskId: number;
  /** 1, and more when an earlier worker died or the database went away. */
  attempt: number;
  db: Kysely<Schema>;
  /** Aborted when the task is cancelled, taken over, or the server stops: then throw (`signal.throwIfAborted()`). */
  signal: AbortSignal;
  /** Percent, 0 to 100. Cheap: it is stored and told at most four times a second. */
  progress(percent: number): void;
  /** A line in the task's log. */
  info(text: string): void;
  /** As info, and counted. */
  warn(text: string): void;
  /** As info, and counted. The task goes on. */
  error(text: string): void;
}

/**
 * The work itself. What it returns is kept as the task's result. An Error it throws fails the task with the error's
 * message as last line of the log, so its text is for people.
 */
export type TaskFunction<Extra = unknown> = (
  payload: Payload,
  helpers: TaskHelpers & Extra,
) => Promise<Json | undefined> | Promise<void>;
