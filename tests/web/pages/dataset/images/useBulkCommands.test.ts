// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Stage } from "../../../../../shared/entities/image";
import { filterOf } from "../../../../../web/pages/dataset/filter/filter";
import { useBulkCommands } from "../../../../../web/pages/dataset/images/useBulkCommands";
import { type SelectedImages, useSelectedImages } from "../../../../../web/pages/dataset/images/useSelectedImages";
import { eventually } from "../../../../support/eventually";

// Files of a worker share their modules: this one needs them with its mocks, and leaves none of these to others.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

interface Request {
  title: string;
  body: unknown;
}

const { sent, answers, digests } = vi.hoisted(() => ({
  sent: [] as Request[],
  answers: [] as unknown[],
  /** What the server computes now of all images. */
  digests: { total: 4, digest: 10, stages: 20, assignees: 30 },
}));
vi.mock("../../../../../web/io/http/request", async () => ({
  RequestError: (await import("../../../../../shared/api/protocol/requestError")).RequestError,
  request: async ({ title }: { title: string }, { body }: { body?: unknown }) => {
    if (title === "Selecting Images") return { ...digests };
    sent.push({ title, body });
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  },
}));

let root: Root;
let selected: SelectedImages;
let bulk: ReturnType<typeof useBulkCommands>;
const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  sent.length = 0;
  digests.stages = 20;
  root = createRoot(document.createElement("div"));
});
afterEach(() => act(async () => root.unmount()));

/** Undefined while the list is loading. */
type Shown = readonly [number, Stage, string?][] | undefined;

function Tab({ images, page }: { images: Shown; page: number }) {
  const shown = images?.map(([id, stage, assignee]) => ({ id, stage, assignee })) as never;
  const data = { images: shown, total: 4 };
  const common = { isFetching: false, updatedAt: 0, retry: () => undefined };
  selected = useSelectedImages({
    list: images
      ? { state: "loaded", data, error: null, ...common }
      : { state: "loading", previous: { data: { images: [], total: 4 } }, ...common },
    filter: filterOf(new URLSearchParams("folder=x")),
    page,
  });
  bulk = useBulkCommands(3, selected, () => undefined);
  return null;
}
const render = (page: number, images: Shown) =>
  act(async () => root.render(createElement(QueryClientProvider, { client }, createElement(Tab, { images, page }))));
const show = (page: number, ...images: [number, Stage, string?][]) => render(page, images);
const done = { changed: 4, failed: 0, failures: [], task: null, undo: null };
async function send(command: Parameters<typeof bulk.send>[0], answer: unknown = done): Promise<void> {
  answers.push(answer);
  const seen = await present(() => bulk.seen);
  await act(async () => bulk.send(command, seen));
  await present(() => (answers.length === 0 && bulk.pendingOf(seen) === undefined ? true : undefined));
}
/** Waits until a value is there. */
const present = <T>(read: () => T | undefined): Promise<T> =>
  eventually(() =>
    act(async () => {
      const value = read();
      if (value === undefined) throw new Error("not yet");
      return value;
    }),
  );

it("marking and assigning all images of a list send what the user saw of them", async () => {
  await show(1, [1, "to_review", "bob"], [2, "to_review"]);
  await act(async () => selected.selectAll());
  await act(async () => selected.toggle(2, false));
  await show(2, [3, "returned"], [4, "to_review"]);
  const which = { filter: { folder: "x" }, except: [2], total: 3, digest: 10 };
  await send({ what: "mark", stage: "accepted" });
  expect(sent[0]).toEqual({
    title: "Marking Images",
    body: {
      ...which,
      stage: "accepted",
      stages: 20,
      seen: [
        { stage: "returned", ids: [3] },
        { stage: "to_review", ids: [4, 2] },
      ],
    },
  });
  await act(async () => selected.selectAll());
  await send({ what: "assign", users: [] });
  expect(sent[1]?.body).toEqual({
    ...which,
    except: [],
    total: 4,
    users: [],
    assignees: 30,
    seen: [{ assignee: null, ids: [3, 4] }],
  });
});

it("a command on images by id sends no digests, but what the user saw of them on all pages", async () => {
  await show(1, [1, "to_review"], [2, "to_review"]);
  await act(async () => selected.toggle(1, false));
  await show(2, [3, "returned"]);
  await act(async () => selected.toggle(3, false));
  await send({ what: "mark", done: false });
  expect(sent[0]?.body).toEqual({
    ids: [1, 3],
    done: false,
    stages: undefined,
    seen: [
      { stage: "to_review", ids: [1] },
      { stage: "returned", ids: [3] },
    ],
  });
});

it("a command that was refused because stages have changed is sent again with the present ones", async () => {
  const { RequestError } = await import("../../../../../shared/api/protocol/requestError");
  await show(1, [1, "to_review"]);
  await act(async () => selected.selectAll());
  const facts = { total: 4, digest: 10, stages: 21 };
  await send(
    { what: "mark", stage: "accepted" },
    new RequestError(409, "Marking Images", "The stage of images has changed", undefined, null, "total_changed", facts),
  );
  const refused = await present(() => bulk.refused);
  expect(refused).toMatchObject({ total: 4, digest: 10, digests: { stages: 21, assignees: 30 } });
  answers.push(done);
  await act(async () => bulk.sendAgain(refused));
  await present(() => sent[1]);
  expect(sent[1]?.body).toEqual({ ...(sent[0]?.body as object), stages: 21 });
});

const MARK = { what: "mark", stage: "accepted" } as const;
/** Waits until queries have been removed, and components know of loaded ones: both follow in a later task. */
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve)));
/** Selects all, then lets another user change a stage. */
async function selectAllBeforeChange(): Promise<void> {
  await show(1, [1, "to_review"]);
  await act(async () => selected.selectAll());
  await present(() => bulk.seen);
  digests.stages = 21;
}

it("sends the digests of the moment at which all were selected, although the dataset was loaded again", async () => {
  await selectAllBeforeChange();
  await act(() => client.invalidateQueries({ queryKey: ["dataset", 3] }));
  await settle();
  await send(MARK);
  expect(sent[0]?.body).toMatchObject({ stages: 20 });
});

it("counts boxes of the images that match now, and asks before it deletes others than those selected", async () => {
  await selectAllBeforeChange();
  digests.digest = 11;
  await act(() => client.invalidateQueries({ queryKey: ["dataset", 3] }));
  await settle();
  digests.digest = 10;
  expect(await present(() => bulk.seen)).toMatchObject({ which: { digest: 10 }, whichNow: { digest: 11 } });
  await send({ what: "delete" });
  expect(sent[0]?.body).toMatchObject({ digest: 10 });
});

it("sends the digests of the moment at which all were selected, although other pages were loaded since", async () => {
  await selectAllBeforeChange();
  await render(2, undefined);
  await settle();
  await show(2, [3, "to_review"]);
  await settle();
  await send(MARK);
  expect(sent[0]?.body).toMatchObject({ stages: 20 });
});

it("sends new digests after all were selected again", async () => {
  await selectAllBeforeChange();
  await act(async () => selected.selectAll());
  await settle();
  await send(MARK);
  expect(sent[0]?.body).toMatchObject({ stages: 21 });
});
