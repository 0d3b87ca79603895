// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { filterOf } from "../../../../../web/pages/dataset/filter/filter";
import {
  type ImageList,
  type SelectedImages,
  useSelectedImages,
} from "../../../../../web/pages/dataset/images/useSelectedImages";

let root: Root;
let selected: SelectedImages;

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  root = createRoot(document.createElement("div"));
});
afterEach(() => act(async () => root.unmount()));

function Tab(props: ImageList) {
  selected = useSelectedImages(props);
  return null;
}

const requested = { isFetching: false, updatedAt: 0, retry: () => undefined };
const images = (...ids: number[]) => ids.map((id) => ({ id })) as never;
const here = (total: number, ...ids: number[]): ImageList["list"] => ({
  state: "loaded",
  data: { images: images(...ids), total },
  error: null,
  ...requested,
});
const due = (total: number, ...ids: number[]): ImageList["list"] => ({
  state: "loading",
  previous: { data: { images: images(...ids), total } },
  ...requested,
});
const filter = (search = "") => filterOf(new URLSearchParams(search));
const show = (list: ImageList["list"], search = "", page = 1) =>
  act(async () => root.render(createElement(Tab, { list, filter: filter(search), page })));
const toggle = (id: number, isRange = false) => act(async () => void selected.toggle(id, isRange));
const press = (key: string, ctrlKey = false) =>
  act(async () => void document.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, cancelable: true })));
const NO_FILTER = { folder: "" };

it("a command names the selected images, or the filter with the number shown", async () => {
  await show(here(16, 1, 2, 3));
  expect(selected.shown).toBeUndefined();
  await toggle(1);
  await toggle(3, true);
  expect(selected.shown).toMatchObject({ count: 3, which: { ids: [1, 2, 3] } });
  await press("a", true);
  expect(selected.shown).toMatchObject({ count: 16, which: { filter: NO_FILTER, except: [], total: 16 } });
  await toggle(2);
  expect(selected.shown).toMatchObject({ count: 15, which: { filter: NO_FILTER, except: [2], total: 15 } });
});

it("nothing is selected while the list of another filter is loading", async () => {
  await show(here(4, 1, 2, 3, 4), "folder=trip");
  await show(due(4, 1, 2, 3, 4));
  await press("a", true);
  await act(async () => selected.selectAll());
  expect(selected).toMatchObject({ count: 0, shown: undefined });
  await show(here(16, 1, 2, 3, 4, 5));
  expect(selected).toMatchObject({ count: 0, shown: undefined });
});

it("images selected while the list is loading stay selected if the list contains them", async () => {
  await show(here(4, 1, 2, 3, 4));
  await show(due(4, 1, 2, 3, 4), "folder=trip");
  for (const id of [1, 2, 3, 3]) await toggle(id);
  expect([1, 2, 3].map((id) => selected.has(id))).toEqual([true, true, false]);
  expect(selected).toMatchObject({ count: 0, shown: undefined });
  await show(here(3, 2, 3, 5), "folder=trip");
  expect(selected.shown).toMatchObject({ which: { ids: [2] } });
  await show(here(4, 1, 2, 3, 4));
  expect(selected.count).toBe(0);
});

it("selected images stay selected while another page is loading", async () => {
  await show(here(16, 1, 2));
  await toggle(1);
  await show(due(16, 1, 2), "", 2);
  expect(selected).toMatchObject({ count: 1, shown: undefined });
  await show(here(16, 3, 4), "", 2);
  expect(selected.shown).toMatchObject({ which: { ids: [1] } });
});

it("a selection ends with its filter, and does not return with it", async () => {
  await show(here(16, 1, 2));
  await toggle(1);
  await show(here(1, 2), "folder=trip");
  expect(selected.count).toBe(0);
  await show(here(16, 1, 2));
  expect(selected.count).toBe(0);
});

it("an image that has disappeared from its page is no longer selected", async () => {
  await show(here(16, 1, 2, 3));
  await toggle(1);
  await toggle(2);
  await show(here(15, 2, 3, 4));
  expect(selected.shown).toMatchObject({ which: { ids: [2] } });
});

it("a deselected image that has disappeared from its page stays deselected", async () => {
  await show(here(16, 1, 2, 3));
  await press("a", true);
  await toggle(1);
  await show(here(15, 2, 3, 4));
  expect(selected.shown).toMatchObject({ count: 14, which: { except: [1], total: 14 } });
});

it("the response to a command clears the selection it was made with, and no later one", async () => {
  await show(here(16, 1, 2, 3));
  await toggle(1);
  const first = selected.selected;
  await toggle(2);
  await act(async () => selected.forget(first));
  expect(selected.count).toBe(2);
  await act(async () => selected.forget(selected.selected));
  expect(selected.count).toBe(0);
});
