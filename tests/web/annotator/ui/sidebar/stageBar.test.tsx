// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EditorProvider } from "../../../../../web/annotator/editor/context";
import { StageBar } from "../../../../../web/annotator/ui/sidebar/StageBar";
import { eventually } from "../../../../support/eventually";
import { sceneOf, TestEditor } from "../../testEditor";

// Paper.js asks for a canvas when it is loaded.
vi.hoisted(() => {
  HTMLCanvasElement.prototype.getContext = (() => new Proxy({}, { get: () => () => ({ data: [] }) })) as never;
});

const container = document.body.appendChild(document.createElement("div"));
let root: Root;
/** Number of images opened so far. */
let opened = 0;
beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  root = createRoot(container);
});
afterEach(() => act(async () => root.unmount()));

/** Shows an image that waits for a review; of a queue that gives image 40 next, if `isQueued`. */
async function open(isQueued = false): Promise<{ editor: TestEditor; skipped: number[] }> {
  const scene = sceneOf();
  const skipped: number[] = [];
  const queue = {
    next: async () => ({ imageId: 40, isAway: false, hasSkipped: false }),
    skip: (_: number, imageId: number) => void skipped.push(imageId),
    forgetSkipped: () => undefined,
    onceReachable: () => () => {},
  };
  const reviewed = {
    ...scene,
    image: { ...scene.image, stage: "to_review" as const, done: true },
    dataset: { ...scene.dataset, review: true },
  };
  const editor = new TestEditor(reviewed, [], undefined, undefined, isQueued ? queue : undefined);
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <EditorProvider key={opened++} value={editor.editor}>
          <StageBar />
        </EditorProvider>
      </MantineProvider>,
    ),
  );
  return { editor, skipped };
}

const click = (name: string, detail: number) =>
  act(async () => {
    const button = [...container.querySelectorAll("button")].find((each) => each.textContent === name);
    button?.dispatchEvent(new MouseEvent("click", { detail, bubbles: true, cancelable: true }));
  });

it.each(["Accept", "Return"])("a double click on %s leaves the next image, which it brings up, alone", async (name) => {
  const { editor } = await open();
  await click(name, 1);
  expect([editor.recorded.length, editor.wentTo]).toEqual([1, [8]]);
  const { editor: next } = await open();
  await click(name, 2);
  expect([next.recorded, next.wentTo]).toEqual([[], []]);
  // As by Enter or Space.
  await click(name, 0);
  expect([next.recorded.length, next.wentTo]).toEqual([1, [8]]);
});

it("a double click on Skip skips one image", async () => {
  const { editor, skipped } = await open(true);
  await click("Skip", 1);
  await eventually(() => expect(editor.wentTo).toEqual([40]));
  await click("Skip", 2);
  expect(skipped).toEqual([7]);
});
