import { expect, test } from "vitest";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

const FAR = [[[400, 300, 500, 300, 500, 400, 400, 400]]];

test("Z zooms to the box around all selected annotations, and shows a message without a selection", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1), annotationOf(2, { rings: FAR })]));
  const { view, ui, selection } = editor.editor;
  view.resize({ width: 1000, height: 1000 });
  const before = view.state;
  editor.press("z");
  expect(view.state).toBe(before);
  expect(ui.store.getState().message).toBe("Select a visible annotation first");
  selection.selectAnnotations([annotationOf(1), annotationOf(2)]);
  editor.press("z");
  expect(view.state.zoom).toBeCloseTo(0.7 * 2.5);
  expect(view.toScreen({ x: 300, y: 250 })).toEqual({ x: expect.closeTo(500), y: expect.closeTo(500) });
  editor.editor.layers.toggleAnnotation(uuidOf(2));
  editor.press("z");
  expect(view.state.zoom).toBeCloseTo(7);
});

test("keys turn names, outlines, crosshair and pixel grid on and off, with a message", () => {
  const editor = new TestEditor().press("t").press("shift", "g");
  expect(editor.editor.viewToggles.state).toMatchObject({ names: true, pixelGrid: false });
  expect(editor.editor.ui.store.getState().message).toBe("Pixel Grid: off");
});
