// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Task } from "../../../../../shared/entities/task";
import { useChangeTask } from "../../../../../web/pages/dataset/tasks/useChangeTask";
import { TASKS_KEY } from "../../../../../web/queries/keys";
import { eventually } from "../../../../support/eventually";

// Files of a worker share their modules: this one needs them with its mocks, and leaves none of these to others.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

type Action = { label: string; onClick: () => void };

const { toasts, sent } = vi.hoisted(() => ({ toasts: [] as unknown[][], sent: [] as unknown[] }));
vi.mock("../../../../../web/components/messages/toast", () => {
  const show = (...toast: unknown[]) => void toasts.push(toast);
  return { showFailure: show, showSuccess: show, showWarning: show, showWithAction: show, showError: show };
});
vi.mock("../../../../../web/queries/session", () => ({ useSession: () => ({ user: { username: "ann" } }) }));
vi.mock("../../../../../web/io/http/request", async () => ({
  RequestError: (await import("../../../../../shared/api/protocol/requestError")).RequestError,
  request: async ({ title }: { title: string }, { body }: { body?: unknown } = {}) => {
    if (!body) return [];
    sent.push([title, body]);
    return { changed: 200, failed: 0, failures: [], task: null, undo: null };
  },
}));

let root: Root;
let client: QueryClient;

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  [toasts.length, sent.length] = [0, 0];
  root = createRoot(document.createElement("div"));
});
afterEach(() => act(async () => root.unmount()));

function Harness() {
  useChangeTask(3);
  return null;
}

/** Shows a task that ends. */
async function end(part: Partial<Task>): Promise<void> {
  const running = { id: 5, dataset_id: 3, group: "Image Changes", state: "running", completed: false, creator: "ann" };
  client.setQueryData(TASKS_KEY, [running]);
  await act(async () => root.render(createElement(QueryClientProvider, { client }, createElement(Harness))));
  await act(async () => void client.setQueryData(TASKS_KEY, [{ ...running, completed: true, ...part }]));
}
const settled = (check: () => void) => eventually(() => act(async () => check()));
const result = { what: "label", changed: 2000, failed: 0, undo: "the-change" };
const undo = expect.objectContaining({ label: "Undo" });

it("a cancelled task says how many images it has changed, and undoes them", async () => {
  await end({ state: "cancelled", result });
  await settled(() => expect(toasts).toEqual([["Labelling Images", "2,000 images were labelled.", undo]]));
  const [, , action] = toasts[0] as [string, string, Action];
  await act(async () => action.onClick());
  await settled(() => expect(sent).toContainEqual(["Undoing", { undo: "the-change" }]));
});

it("a failed task says so, and how many images it has changed", async () => {
  await end({ state: "failed", result });
  await settled(() =>
    expect(toasts).toEqual([
      ["Changing Images", "The task failed. See its log under Tasks."],
      ["Labelling Images", "2,000 images were labelled.", undo],
    ]),
  );
});

it("a task that is cancelled before it has changed anything says nothing", async () => {
  await end({ state: "cancelled", result: null });
  await end({ state: "cancelled", result: { ...result, changed: 0, failed: 3 } });
  expect(toasts).toEqual([]);
});
