import { setTimeout as wait } from "node:timers/promises";
import { api } from "../../shared/api";
import type { Task } from "../../shared/entities/task";
import type { Client } from "./connect";
import { CommandError } from "./errors";
import type { Output } from "./output";

const POLL_MS = { first: 200, longest: 3_000 };

/** Waits until a task has ended, showing its progress. Throws with its last log lines if it failed or was cancelled. */
export async function waitForTask(client: Client, id: number, output: Output, signal: AbortSignal): Promise<Task> {
  for (let ms = POLL_MS.first; ; ms = Math.min(2 * ms, POLL_MS.longest)) {
    const task = (await client.request(api.tasks.listTasks)).find((each) => each.id === id);
    if (!task) throw new CommandError(`There is no task ${id}, or you may not see it.`);
    const percent = Math.round(task.progress);
    output.progress(percent, 100, `${percent} % ${task.name}`);
    if (task.state === "done") {
      output.endProgress();
      return task;
    }
    if (task.completed) throw await failureOf(client, task);
    await wait(ms, undefined, { signal });
  }
}

async function failureOf(client: Client, task: Task): Promise<CommandError> {
  const { logs } = await client.request(api.tasks.getTaskLogs, { params: { id: task.id } });
  return new CommandError([`Task ${task.id} (${task.name}): ${task.state}`, ...logs.slice(-LOG_LINES)].join("\n"));
}

const LOG_LINES = 5;
