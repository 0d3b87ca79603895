// @vitest-environment jsdom
import { notifications, notificationsStore } from "@mantine/notifications";
import { QueryClient, QueryClientProvider, useMutation } from "@tanstack/react-query";
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useTaskForm } from "../../../../web/pages/common/useCancelLate";
import { eventually } from "../../../support/eventually";

interface Started {
  id: number;
  existing?: boolean | undefined;
}

const LATE_CANCEL_TEXTS = {
  title: { id: "Export" },
  cancelled: { id: "It is being cancelled." },
  finished: { id: "It has ended." },
};
let root: Root;
let form: ReturnType<typeof useTaskForm<string>>;
/** Responds to the form's request. */
let respond: (task: Started) => void;
/** Paths of the page's requests. */
let requested: string[];

function Form() {
  const start = useMutation({
    mutationFn: (_: string) =>
      new Promise<Started>((resolve) => {
        respond = resolve;
      }),
  });
  form = useTaskForm(start, LATE_CANCEL_TEXTS);
  return null;
}

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  notifications.clean();
  requested = [];
  vi.stubGlobal("fetch", async (input: string | URL | Request) => {
    requested.push(new URL(input instanceof Request ? input.url : input, document.baseURI).pathname);
    return new Response(JSON.stringify({ success: true }));
  });
  root = createRoot(document.createElement("div"));
  const client = new QueryClient();
  await act(async () => root.render(createElement(QueryClientProvider, { client }, createElement(Form))));
});
afterEach(() => act(async () => root.unmount()));

async function cancelBeforeResponse(task: Started): Promise<void> {
  await act(async () => form.submit("all", () => expect.unreachable()));
  form.cancel();
  await act(async () => root.render(null));
  await act(async () => respond(task));
}
const toasts = () => notificationsStore.getState().notifications.map(({ title, message }) => [title, message]);

it("cancels the task of a form that was closed before the response with its id", async () => {
  await cancelBeforeResponse({ id: 7 });
  await eventually(() => expect(toasts()).toEqual([["Export", "It is being cancelled."]]));
  expect(requested).toEqual([expect.stringMatching(/tasks\/7\/cancel$/)]);
});

it("does not cancel the task of an earlier request, perhaps another user's, and reports that it continues", async () => {
  await cancelBeforeResponse({ id: 7, existing: true });
  await eventually(() =>
    expect(toasts()).toEqual([["Export", "An earlier request had already started this task. It continues."]]),
  );
  expect(requested).toEqual([]);
});
