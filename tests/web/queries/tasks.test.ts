import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import type { Task } from "../../../shared/entities/task";
import type { TaskProgressEvent } from "../../../shared/events";
import { TASKS_KEY } from "../../../web/queries/keys";
import { applyTaskProgress } from "../../../web/queries/tasks";

const running = { id: 7, progress: 10, warnings: 0, errors: 0, state: "running", completed: false } as Task;
const event: TaskProgressEvent = { id: 7, progress: 40, warnings: 2, errors: 1, state: "running", dataset_id: 3 };

function clientWith(tasks: Task[]) {
  const client = new QueryClient();
  client.setQueryData(TASKS_KEY, tasks);
  return client;
}
const isStale = (client: QueryClient) => client.getQueryState(TASKS_KEY)!.isInvalidated;

it("adds progress to the list without a request", () => {
  const client = clientWith([running]);
  applyTaskProgress(client, event);
  expect(client.getQueryData<Task[]>(TASKS_KEY)![0]).toMatchObject({ progress: 40, warnings: 2, errors: 1 });
  expect(isStale(client)).toBe(false);
});

it("reloads the list for an unknown task, and when a known one ends", () => {
  const unknown = clientWith([running]);
  applyTaskProgress(unknown, { ...event, id: 8 });
  expect(isStale(unknown)).toBe(true);

  const ended = clientWith([running]);
  applyTaskProgress(ended, { ...event, state: "done", progress: 100 });
  expect(isStale(ended)).toBe(true);
});

it("does not reopen a finished task on a late event", () => {
  const client = clientWith([{ ...running, state: "done", completed: true, progress: 100 }]);
  applyTaskProgress(client, event);
  expect(client.getQueryData<Task[]>(TASKS_KEY)![0]).toMatchObject({ state: "done", progress: 100 });
});
