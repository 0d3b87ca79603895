import { expect, test } from "vitest";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

const onSquare = () => new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).choose("Split");

test("a drag across the selected shape splits it, and the tool stays", async () => {
  const editor = await onSquare().drag([130, 50], [130, 100], [130, 250]).settled();
  expect(editor.annotations).toHaveLength(2);
  expect(editor.toolState).toBe("split.idle");
  expect(editor.selected?.id).toBe(1);
});

test("clicks that end with Enter or a double click split along a line with corners", async () => {
  const editor = onSquare().clicks([150, 50], [150, 150], [250, 150]);
  expect(editor.toolState).toBe("split.drawing");
  await editor.press("enter").settled();
  expect(editor.annotations).toHaveLength(2);
  const other = onSquare().clicks([150, 50], [150, 250]);
  await other.click(150, 250, { clicks: 2 }).settled();
  expect(other.annotations).toHaveLength(2);
});

test("Backspace and undo remove points, and Escape discards the whole line", () => {
  const editor = onSquare().clicks([150, 50], [150, 150]).press("backspace");
  expect(editor.toolState).toBe("split.drawing");
  editor.press("control", "z");
  expect(editor.toolState).toBe("split.idle");
  editor.clicks([150, 50], [150, 150]).press("escape");
  expect(editor.toolState).toBe("split.idle");
  expect(editor.annotations).toHaveLength(1);
  expect(editor.selected?.id).toBe(1);
});

test("a single point is not a line", () => {
  expect(onSquare().click(150, 50).press("enter").toolState).toBe("split.drawing");
});

test("split does not start without a selected shape, and creates no annotation", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).choose("Split").click(150, 50);
  expect(editor.toolState).toBe("split.idle");
  expect(editor.annotations).toHaveLength(1);
});

test("a line is dropped when another annotation is selected", () => {
  const editor = onSquare().click(150, 50);
  editor.editor.selection.selectAnnotation(null);
  expect(editor.toolState).toBe("split.idle");
});
