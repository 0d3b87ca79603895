// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AttributeDefinition } from "../../../../../shared/entities/attribute";
import { PointerInputs } from "../../../../../web/annotator/canvas/view/pointer";
import { EditorProvider } from "../../../../../web/annotator/editor/context";
import { AttributePanel } from "../../../../../web/annotator/ui/attributes/AttributePanel";
import { typeInto } from "../../../../support/renderedPage";
import { NOSE, poseScene } from "../../poseScene";
import { TestEditor } from "../../testEditor";

// Paper.js asks for a canvas when it is loaded.
vi.hoisted(() => {
  HTMLCanvasElement.prototype.getContext = (() => new Proxy({}, { get: () => () => ({ data: [] }) })) as never;
});

const COUNT: AttributeDefinition = {
  ...{ name: "count", type: "number", choices: [], required: false, default: null, key: null },
};

let root: Root;
let canvas: HTMLElement;
let inputs: PointerInputs;

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  root = createRoot(document.body.appendChild(document.createElement("div")));
  canvas = document.body.appendChild(document.createElement("div"));
  canvas.tabIndex = 0;
  canvas.setPointerCapture = () => undefined;
});
afterEach(async () => {
  inputs.remove();
  await act(async () => root.unmount());
  document.body.replaceChildren();
});

/** Shows the panel beside a canvas, of an image whose category has a single label and a number as attribute. */
async function open(): Promise<TestEditor> {
  const one = {
    keypoint_labels: ["tip"],
    keypoint_label_ids: [NOSE],
    keypoint_colors: ["#bf5c4d"],
    keypoint_edges: [],
  };
  const test = new TestEditor(poseScene([], { ...one, attributes: [COUNT] })).choose("Keypoints");
  const { view, pointer } = test.editor;
  const keys = { isDown: () => false, use: () => undefined, onScreen: () => ({ shift: false, alt: false }) };
  inputs = new PointerInputs(canvas, view, keys, pointer);
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <EditorProvider value={test.editor}>
          <AttributePanel />
        </EditorProvider>
      </MantineProvider>,
    ),
  );
  return test;
}

/** Clicks the canvas; React renders only afterwards. */
const click = (clientX: number, clientY: number) =>
  act(async () => {
    for (const type of ["pointermove", "pointerdown", "pointerup"])
      canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX, clientY, bubbles: true, cancelable: true }));
  });
const field = () => document.querySelector<HTMLInputElement>("input[data-attribute=count]")!;

it("stores a text for the annotation that it was typed for, if a click then begins the next one", async () => {
  const editor = await open();
  await click(100, 100);
  await act(async () => typeInto(field(), "12"));
  await click(300, 300);
  expect(editor.annotations.map(({ attributes }) => attributes)).toEqual([{ count: 12 }, {}]);
  expect(field().value).toBe("");
});
