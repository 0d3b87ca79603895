// @vitest-environment jsdom
import { notifications, notificationsStore } from "@mantine/notifications";
import { QueryClient, QueryClientProvider, useMutation } from "@tanstack/react-query";
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useSubmitOnce } from "../../../../web/components/forms/useSubmitOnce";
import { showError } from "../../../../web/components/messages/toast";

let root: Root;
let client: QueryClient;
/** Submissions in flight. */
let sent: { text: string; succeed: (answer: string) => void; fail: (error: Error) => void }[];
let done: string[];
/** Responses to forms that had been left. */
let late: string[];
let submit: (text: string) => void;

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.useFakeTimers();
  notifications.clean();
  client = new QueryClient();
  sent = [];
  done = [];
  late = [];
  root = createRoot(document.createElement("div"));
  await show(true);
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.useRealTimers();
});

function Form({ opened }: { opened: boolean }) {
  const mutation = useMutation({
    onError: showError,
    mutationFn: (text: string) =>
      new Promise<string>((succeed, fail) => {
        sent.push({ text, succeed, fail });
      }),
  });
  const once = useSubmitOnce(mutation, opened);
  submit = (text) =>
    once(
      text,
      (answer) => {
        done.push(answer);
        return answer !== "nothing";
      },
      (answer) => late.push(answer),
    );
  return null;
}

const turn = (doing: () => void) =>
  act(async () => {
    doing();
    await vi.advanceTimersByTimeAsync(0);
  });
const show = (opened: boolean) =>
  turn(() => root.render(createElement(QueryClientProvider, { client }, createElement(Form, { opened }))));
const press = (...texts: string[]) =>
  turn(() => {
    for (const text of texts) submit(text);
  });
const answer = (text: string) => turn(() => sent.at(-1)?.succeed(text));
const fail = () => turn(() => sent.at(-1)?.fail(new Error("taken")));
const texts = () => sent.map(({ text }) => text);

it("a form that is submitted twice at once is sent once, and not again after success", async () => {
  await press("a", "b");
  await press("c");
  await answer("made");
  expect(done).toEqual(["made"]);
  await press("d");
  expect(texts()).toEqual(["a"]);
});

it("a form may be sent again after a failure", async () => {
  await press("a", "b");
  await fail();
  await press("c", "d");
  expect(texts()).toEqual(["a", "c"]);
});

it("a form may be sent again if its submission had no effect", async () => {
  await press("a");
  await answer("nothing");
  await press("b", "c");
  expect(texts()).toEqual(["a", "b"]);
});

it("a closed form sends nothing, and sends again once reopened", async () => {
  await press("a");
  await answer("made");
  await show(false);
  await press("b");
  await show(true);
  await press("c");
  expect(texts()).toEqual(["a", "c"]);
});

it("the response to a form that was left does not change the form opened next", async () => {
  await press("a");
  await show(false);
  await show(true);
  await answer("made");
  expect([done, late]).toEqual([[], ["made"]]);
  await press("b");
  await answer("made too");
  expect([texts(), done]).toEqual([["a", "b"], ["made too"]]);
});

it("the failure of a form that was left does not allow a second submission of the next one", async () => {
  await press("a");
  await show(false);
  await show(true);
  await press("b");
  await turn(() => sent[0]?.fail(new Error("too late")));
  await press("c");
  expect(texts()).toEqual(["a", "b"]);
});

it("a response after the page was left is reported as late", async () => {
  await press("a");
  await act(async () => root.render(null));
  await answer("made");
  expect([done, late]).toEqual([[], ["made"]]);
});

it("the toast of a failure disappears when the form is sent again or closed", async () => {
  const toasts = () => notificationsStore.getState().notifications.map(({ message }) => message);
  await press("one");
  await turn(() => sent[0]?.fail(new Error("The name is taken.")));
  expect(toasts()).toEqual(["The name is taken."]);
  await press("two");
  expect(toasts()).toEqual([]);
  await turn(() => sent[1]?.fail(new Error("The server is full.")));
  expect(toasts()).toEqual(["The server is full."]);
  await show(false);
  expect(toasts()).toEqual([]);
});
