// @vitest-environment jsdom
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { EditorProvider } from "../../../../../web/annotator/editor/context";
import type { Editor } from "../../../../../web/annotator/editor/editor";
import { MiniMap } from "../../../../../web/annotator/ui/toolbar/MiniMap";
import { eventually } from "../../../../support/eventually";

const image = { id: 1, width: 400, height: 300 };
const store = createStore(() => ({ zoom: 2 }));
const seen = () => ({
  x: 0,
  y: 0,
  width: image.width / store.getState().zoom,
  height: image.height / store.getState().zoom,
});
const view = { store, seen, centre: () => undefined };
const editor = {
  view,
  document: { store: createStore(() => ({ image })) },
  viewToggles: { store: createStore(() => ({ miniMap: true })) },
} as unknown as Editor;

const container = document.body.appendChild(document.createElement("div"));
let root: Root;
beforeEach(() => {
  root = createRoot(container);
});
afterEach(() => root.unmount());

const show = () =>
  root.render(
    <EditorProvider value={editor}>
      <MiniMap />
    </EditorProvider>,
  );
const map = () => container.querySelector("[data-testid=mini-map]");

it("handles a view that moves as soon as the map has been removed", async () => {
  show();
  await eventually(() => expect(map()).not.toBeNull());
  const problems: unknown[] = [];
  const gone = new Promise<void>((resolve) => {
    // Before React's effects, which come in a later task.
    new MutationObserver(() => {
      if (map()) return;
      try {
        store.setState({ zoom: 0.9 });
      } catch (error) {
        problems.push(error);
      }
      resolve();
    }).observe(container, { childList: true });
  });
  await eventually(() => {
    store.setState({ zoom: 1 });
    expect(map()).toBeNull();
  });
  await gone;
  expect(problems).toEqual([]);
  store.setState({ zoom: 4 });
  await eventually(() => expect(map()).not.toBeNull());
});

it("keeps a quick drag of a finger from being a fling, which would take the click from the next tap", async () => {
  store.setState({ zoom: 4 });
  show();
  await eventually(() => expect(map()).not.toBeNull());
  const moved = new Event("touchmove", { bubbles: true, cancelable: true });
  map()!.dispatchEvent(moved);
  expect(moved.defaultPrevented).toBe(true);
});
