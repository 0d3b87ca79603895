// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Task } from "../../../../../shared/entities/task";
import { useIsQuiet } from "../../../../../web/pages/shell/navbar/useIsQuiet";

let root: Root;
let isQuiet: boolean;

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.useFakeTimers();
  localStorage.clear();
  root = createRoot(document.createElement("div"));
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.useRealTimers();
});

function Harness({ tasks, isHeld }: { tasks: Task[]; isHeld: boolean }) {
  isQuiet = useIsQuiet(tasks, isHeld);
  return null;
}

const task = (id: number, state: Task["state"]) =>
  ({ id, state, completed: state !== "running", errors: 0, warnings: 0 }) as Task;
const show = (tasks: Task[], { isHeld = false, address = "/datasets" } = {}) =>
  act(async () =>
    root.render(
      createElement(
        MemoryRouter,
        { key: address, initialEntries: [address] },
        createElement(Harness, { tasks, isHeld }),
      ),
    ),
  );
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

it("is quiet without tasks, and about a task that ended before the page was opened", async () => {
  await show([]);
  expect(isQuiet).toBe(true);
  await show([task(3, "done")], { address: "/user" });
  expect(isQuiet).toBe(true);
});

it("becomes quiet ten seconds after the last task ended, but not while the user looks at it", async () => {
  await show([task(3, "running")]);
  expect(isQuiet).toBe(false);
  await pass(60);
  await show([task(3, "done")]);
  await pass(9);
  expect(isQuiet).toBe(false);
  await show([task(3, "done")], { isHeld: true });
  await pass(60);
  expect(isQuiet).toBe(false);
  await show([task(3, "done")]);
  await pass(10);
  expect(isQuiet).toBe(true);
  await show([task(3, "done"), task(4, "cancelled")]);
  expect(isQuiet).toBe(false);
});

it("keeps a failed task until the user has opened the page of tasks, also on the next visit", async () => {
  await show([task(3, "failed")]);
  await pass(60);
  expect(isQuiet).toBe(false);
  await show([task(3, "failed")], { address: "/tasks" });
  expect(isQuiet).toBe(true);
  await show([task(3, "failed")], { address: "/user" });
  expect(isQuiet).toBe(true);
});
