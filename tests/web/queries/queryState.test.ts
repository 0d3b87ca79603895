// @vitest-environment jsdom
import { keepPreviousData, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { asOutdated, type QueryState, type Shown, shownOf, useQueryState } from "../../../web/queries/queryState";

let root: Root;
let client: QueryClient;
let answer: QueryState<string[]>;
/** Queries that wait for their response. */
let requested: { question: string; succeed: (names: string[]) => void; fail: (error: Error) => void }[];

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.useFakeTimers();
  client = new QueryClient();
  requested = [];
  root = createRoot(document.createElement("div"));
});
afterEach(async () => {
  await act(async () => root.unmount());
  client.clear();
  vi.useRealTimers();
});

function List({ question }: { question: string }) {
  answer = useQueryState({
    queryKey: ["list", question],
    queryFn: () => new Promise<string[]>((succeed, fail) => void requested.push({ question, succeed, fail })),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return null;
}

const turn = (doing: () => unknown) =>
  act(async () => {
    doing();
    await vi.advanceTimersByTimeAsync(0);
  });
const ask = (question: string) =>
  turn(() => root.render(createElement(QueryClientProvider, { client }, createElement(List, { question }))));

it("a query is loading without data, then loaded", async () => {
  await ask("a");
  expect(answer).toMatchObject({ state: "loading", previous: undefined, isFetching: true });
  expect(shownOf(answer)).toBeUndefined();
  await turn(() => requested[0]?.succeed(["x"]));
  expect(answer).toMatchObject({ state: "loaded", data: ["x"], error: null, isFetching: false });
  expect(shownOf(answer)).toEqual({ data: ["x"], isStale: false });
});

it("data of the previous query are shown, but do not count as data of this one", async () => {
  await ask("a");
  await turn(() => requested[0]?.succeed(["x"]));
  await ask("b");
  expect(answer).toMatchObject({ state: "loading", previous: { data: ["x"] } });
  expect(answer).not.toHaveProperty("data");
  expect(shownOf(answer)).toEqual({ data: ["x"], isStale: true });
  await turn(() => requested[1]?.succeed([]));
  expect(answer).toMatchObject({ state: "loaded", data: [] });
});

it("a failed query is not an empty list, and can be repeated", async () => {
  await ask("a");
  await turn(() => requested[0]?.fail(new Error("away")));
  expect(answer).toMatchObject({ state: "failed", error: new Error("away") });
  expect(shownOf(answer)).toBeUndefined();
  await turn(() => answer.retry());
  expect(answer).toMatchObject({ state: "loading", isFetching: true });
  await turn(() => requested[1]?.succeed(["x"]));
  expect(answer).toMatchObject({ state: "loaded", data: ["x"] });
});

it("data stay loaded when a refresh fails, with its error", async () => {
  await ask("a");
  await turn(() => requested[0]?.succeed(["x"]));
  await turn(() => answer.retry());
  expect(answer).toMatchObject({ state: "loaded", isFetching: true });
  await turn(() => requested[1]?.fail(new Error("away")));
  expect(answer).toMatchObject({ state: "loaded", data: ["x"], error: new Error("away") });
});

it("a response to an earlier query is only shown", async () => {
  await ask("a");
  expect(asOutdated(answer)).toBe(answer);
  await turn(() => requested[0]?.succeed(["x"]));
  expect(shownOf(asOutdated(answer))).toEqual({ data: ["x"], isStale: true });
  expect(asOutdated(answer)).not.toHaveProperty("data");
});

it("code that ignores a state, or acts on data of another query, does not compile", () => {
  const remove = (_: string[]) => undefined;
  const forget = (of: QueryState<string[]>, shown: Shown<string[]>) => {
    // @ts-expect-error data are in one state of three
    remove(of.data ?? []);
    // @ts-expect-error data cannot be taken out of all of them
    const { data = [] } = of;
    // @ts-expect-error what is shown is not the answer
    remove(shown);
    if (of.state === "loading" && of.previous) {
      // @ts-expect-error data of the question before are not those of this one
      remove(of.previous);
    }
    // @ts-expect-error while it loads there are none
    if (of.state === "loading") remove(of.data);
    if (of.state === "loaded") remove(of.data);
    return data;
  };
  expect(forget).toBeTypeOf("function");
});
