import { expect, test } from "vitest";
import type { Task } from "../../../../shared/entities/task";
import { taskMeta } from "../../../../web/pages/tasks/taskMeta";

const at = (secondsAgo: number) => new Date(Date.now() - 1000 * secondsAgo).toISOString();
const task = { creator: "ann", created_at: at(3700), started_at: null, finished_at: null } as Task;

test("names the user who started a task, how long ago, and its duration once it has ended", () => {
  expect(taskMeta(task)).toBe("by ann · 1 hour ago");
  const ended = { ...task, creator: null, started_at: at(3690), finished_at: at(3600) };
  expect(taskMeta(ended)).toBe("1 hour ago · took 1 min 30 s");
});
