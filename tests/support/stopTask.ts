import { expect } from "vitest";
import { claimTask } from "../../server/queue/claim";
import { startRun } from "../../server/queue/run";
import { taskKinds } from "../../server/tasks";
import type { TaskKind } from "../../shared/entities/task";
import { PATIENCE_MS } from "./patience";
import type { TestServer } from "./server";

/** Runs a queued task until its server stops at its first progress. The task is then in the queue again. */
export async function stopAtFirstProgress({ db, services }: TestServer, kind: TaskKind, id: number): Promise<void> {
  const task = await claimTask(db, "stopped", [kind]);
  if (task?.id !== id) throw new Error(`not the task ${id}`);
  const run = startRun(
    task,
    { id, worker: "stopped", attempt: task.attempts },
    (payload, helpers) =>
      taskKinds[kind](payload, {
        ...helpers,
        progress(percent) {
          helpers.progress(percent);
          void run.stop(PATIENCE_MS);
        },
      }),
    { db, extra: services, announce: () => undefined },
  );
  await run.ended;
  const { state } = await db.selectFrom("tasks").select("state").where("id", "=", id).executeTakeFirstOrThrow();
  expect(state).toBe("queued");
}
