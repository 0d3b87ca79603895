import type { Kysely } from "kysely";
import type { Schema, TaskRow } from "../../server/db/schema";
import { startRunner } from "../../server/queue/runner";
import type { TaskFunction } from "../../server/queue/task";

/** A task that has ended, with the lines of its log ("WARNING …"). */
export interface EndedTask {
  row: TaskRow;
  log: string[];
}

/** Milliseconds before further attempts of tasks, which wait for more than a minute outside tests. */
const PAUSES_MS = [20, 20, 20, 20];

/** Runs queued tasks with a separate runner until the task has ended. */
export async function runTask<Extra>(
  db: Kysely<Schema>,
  kinds: Record<string, TaskFunction<Extra>>,
  extra: Extra,
  taskId: number,
): Promise<EndedTask> {
  const runner = startRunner({ db, kinds, extra, concurrency: 1, announce: () => undefined, pausesMs: PAUSES_MS });
  try {
    runner.wake();
    return await ended(db, taskId);
  } finally {
    await runner.stop();
  }
}

async function ended(db: Kysely<Schema>, id: number): Promise<EndedTask> {
  for (;;) {
    const row = await db.selectFrom("tasks").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    if (row.state !== "queued" && row.state !== "running") return { row, log: await logOf(db, id) };
    await new Promise((later) => setTimeout(later, 20));
  }
}

async function logOf(db: Kysely<Schema>, id: number): Promise<string[]> {
  const lines = await db.selectFrom("task_logs").selectAll().where("task_id", "=", id).orderBy("line").execute();
  return lines.map(({ level, text }) => `${level} ${text}`);
}
