import { expect, test } from "vitest";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

/** A circle of 100 points around (150, 150). */
const CIRCLE = Array.from({ length: 100 }, (_, i) => {
  const angle = (2 * Math.PI * i) / 100;
  return [150 + 50 * Math.cos(angle), 150 + 50 * Math.sin(angle)];
}).flat();

const onCircle = () => new TestEditor(sceneOf([annotationOf(1, { rings: [[CIRCLE]] })])).click(150, 150);

test("a simplification is previewed with the number of points, and applied as one step", async () => {
  const editor = onCircle().press("shift", "o");
  const { simplifying } = editor.editor;
  await editor.settled();
  expect(simplifying.choice).toMatchObject({ target: uuidOf(1), tolerance: 1, before: 100 });
  const fine = simplifying.choice!.after!;
  simplifying.change({ tolerance: 5 });
  await editor.settled();
  expect(simplifying.choice!.after).toBeLessThan(fine);
  expect(editor.recorded).toEqual([]);
  await simplifying.apply();
  expect(simplifying.choice).toBeNull();
  expect(editor.selected?.rings?.[0]?.[0]?.length).toBeLessThan(2 * fine);
  editor.press("control", "z");
  expect(editor.selected?.rings).toEqual([[CIRCLE]]);
});

test("rounded corners are remembered for the next time", async () => {
  const editor = onCircle().press("shift", "o");
  editor.editor.simplifying.change({ isRound: true });
  await editor.editor.simplifying.apply();
  expect(editor.editor.history.store.getState().undo).toEqual({ name: "Annotation 1", action: "Smooth" });
  editor.press("shift", "o");
  expect(editor.editor.simplifying.choice?.isRound).toBe(true);
});

test("Escape ends a simplification and keeps the selection; selecting another annotation or changing the shape also ends it", async () => {
  const editor = onCircle().press("shift", "o").press("escape");
  expect(editor.editor.simplifying.choice).toBeNull();
  expect(editor.selected?.id).toBe(1);
  editor.press("shift", "o").press("escape").press("escape");
  expect(editor.selected).toBeNull();
  editor.click(150, 150).press("shift", "o");
  await editor.editor.operations.toBox([uuidOf(1)]);
  expect(editor.editor.simplifying.choice).toBeNull();
  editor.press("shift", "o");
  editor.editor.selection.selectAnnotation(null);
  expect(editor.editor.simplifying.choice).toBeNull();
});

test("Enter applies the simplification", async () => {
  const editor = onCircle().press("shift", "o").press("enter");
  await editor.settled();
  expect(editor.recorded).toHaveLength(1);
});

test("an annotation without a shape has nothing to simplify", () => {
  const editor = new TestEditor().press(" ").press("shift", "o");
  expect(editor.editor.simplifying.choice).toBeNull();
  expect(editor.editor.ui.store.getState().message).toBe("The annotation has no shape to simplify");
});
