import type { Kysely } from "kysely";
import type { Json } from "../../shared/entities/scalars";
import type { Schema } from "../db/schema";

/**
 * Long work on the server. A row of the table `tasks` is queued, claimed by a worker (the runner of a process) under a
 * lease that a heartbeat renews, and ends done, failed or cancelled. If the worker dies, the lease expires, and another
 * worker claims the task and runs it again from the start. So a task function must be safe to repeat, even after a
 * partial run. Fencing: a worker's writes to a task's row apply only while the row still has this worker and attempt.
 */

/** Input of a task; its function parses it. */
export type Payload = { [key: string]: Json };

/** Helpers of a task function, besides `Extra` from the composition root. */
export interface TaskHelpers {
  taskId: number;
  /** 1 at first; higher if an earlier worker died or the database was not available. */
  attempt: number;
  /** The result that earlier attempts have kept, up to a quarter of a second before they ended; undefined if none. */
  resultSoFar?: Json | undefined;
  db: Kysely<Schema>;
  /**
   * Aborts if the task is cancelled or taken over, or the server stops. The task must then throw
   * (`signal.throwIfAborted()`).
   */
  signal: AbortSignal;
  /** Sets the progress in percent, 0 to 100. Cheap: it is stored and sent at most four times a second. */
  progress(percent: number): void;
  /**
   * Sets the result so far, stored like the progress. It stays if the task is cancelled or fails; otherwise the task's
   * return value replaces it.
   */
  keepResult(result: Json): void;
  /** Adds a line to the task's log. */
  info(text: string): void;
  /** Adds a line to the log and counts it as a warning. */
  warn(text: string): void;
  /** Adds a line to the log and counts it as an error. The task continues. */
  error(text: string): void;
}

/**
 * The work of a task. Its return value is stored as the task's result. If it throws an Error, the task fails and the
 * message becomes the last line of the log, which is shown to the user.
 */
export type TaskFunction<Extra = unknown> = ((
  payload: Payload,
  helpers: TaskHelpers & Extra,
) => Promise<Json | undefined> | Promise<void>) & {
  /**
   * True if the function also runs, with an aborted signal, when the task was cancelled before its worker died: it
   * finishes or removes what the earlier attempt has stored.
   */
  tidiesUp?: true;
};
