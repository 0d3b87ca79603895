// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Task } from "../../../../../shared/entities/task";
import { useButtonTask } from "../../../../../web/pages/dataset/tasks/useButtonTask";
import { TASKS_KEY } from "../../../../../web/queries/keys";
import { noteFollowedTask, noteStartedTask } from "../../../../../web/queries/tasks";

let client: QueryClient;
let root: Root;
let shown: Task | undefined;
let ended: number[];

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.useFakeTimers();
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  ended = [];
  root = createRoot(document.createElement("div"));
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.useRealTimers();
});

function Harness() {
  shown = useButtonTask({ datasetId: 3, group: "Annotation Export", onEnd: (task) => ended.push(task.id) });
  return null;
}

const task = (id: number, part: Partial<Task> = {}) =>
  ({
    id,
    dataset_id: 3,
    group: "Annotation Export",
    state: "running",
    completed: false,
    progress: 50,
    ...part,
  }) as Task;
const over = { state: "done", completed: true, progress: 100 } as const;
const list = (...tasks: Task[]) =>
  act(async () => {
    client.setQueryData(TASKS_KEY, tasks);
    await vi.advanceTimersByTimeAsync(0);
  });
const mount = () =>
  act(async () => root.render(createElement(QueryClientProvider, { client }, createElement(Harness))));

it("shows a running task, even one already running on load, and its end for a second", async () => {
  await list(task(5));
  await mount();
  expect(shown?.id).toBe(5);
  await list(task(5, over));
  expect(shown).toMatchObject({ id: 5, progress: 100 });
  expect(ended).toEqual([5]);
  await act(() => vi.advanceTimersByTimeAsync(999));
  expect(shown?.id).toBe(5);
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(shown).toBeUndefined();
  expect(ended).toEqual([5]);
});

it("does not show the end of a task that had ended before", async () => {
  await list(task(4, over), task(5, over));
  await mount();
  expect(shown).toBeUndefined();
  expect(ended).toEqual([]);
});

it("shows the end of a task so short that it was never seen running", async () => {
  await list(task(4, over));
  await mount();
  await list(task(4, over), task(6, over));
  expect(ended).toEqual([6]);
});

it("ignores other datasets and other kinds of task", async () => {
  await list();
  await mount();
  await list(task(5, { dataset_id: 9 }), task(6, { group: "Directory Image Scan" }));
  expect(shown).toBeUndefined();
  await list(task(5, { dataset_id: 9, ...over }), task(6, { group: "Directory Image Scan", ...over }));
  expect(ended).toEqual([]);
});

it("leaves the end of a task to the dialog that follows it", async () => {
  await list(task(4, over));
  await mount();
  noteFollowedTask(5);
  await list(task(4, over), task(5, over), task(6, over));
  expect(ended).toEqual([6]);
  expect(shown?.id).toBe(6);
});

it("reports the end of a task once if the response to its start comes after the end", async () => {
  await list(task(6, over));
  await mount();
  await list(task(6, over), task(7, over));
  noteStartedTask(7);
  await list(task(6, over), task(7, over), task(8));
  expect(ended).toEqual([7]);
});
