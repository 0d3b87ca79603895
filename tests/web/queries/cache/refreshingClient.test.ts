import { QueryObserver } from "@tanstack/react-query";
import { beforeEach, expect, test } from "vitest";
import { RefreshingClient } from "../../../../web/queries/cache/refreshingClient";

let client: RefreshingClient;
/** Resolvers of the requests, in the order in which they were made. */
let answers: ((names: string[]) => void)[];

beforeEach(() => {
  client = new RefreshingClient();
  answers = [];
  return () => client.clear();
});

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

function watchNames() {
  const queryFn = () => new Promise<string[]>((resolve) => answers.push(resolve));
  const observer = new QueryObserver(client, { queryKey: ["names"], queryFn, staleTime: 60_000 });
  observer.subscribe(() => undefined);
  return () => observer.getCurrentResult().data;
}

test("a list that is changed while it loads for the first time is loaded once more", async () => {
  const names = watchNames();
  void client.invalidateQueries({ queryKey: ["names"] });
  void client.invalidateQueries({ queryKey: ["names"] });
  await settled();
  expect(answers).toHaveLength(1);
  answers[0]?.(["old"]);
  await settled();
  expect(names()).toEqual(["old"]);
  answers.at(-1)?.(["old", "new"]);
  await settled();
  expect(names()).toEqual(["old", "new"]);
});

test("a loaded list is requested again at once, and lists that nobody shows are not", async () => {
  const names = watchNames();
  answers[0]?.(["old"]);
  client.setQueryData(["unseen"], ["x"]);
  await settled();
  const refreshed = client.invalidateQueries();
  expect(answers).toHaveLength(2);
  answers[1]?.(["new"]);
  await refreshed;
  expect(names()).toEqual(["new"]);
});

test("without a refetch, a first load is left alone", async () => {
  watchNames();
  void client.invalidateQueries({ queryKey: ["names"], refetchType: "none" });
  answers[0]?.(["old"]);
  await settled();
  expect(answers).toHaveLength(1);
});
