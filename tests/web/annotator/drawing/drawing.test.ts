import { expect, test } from "vitest";
import { annotationOf, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

const CROWD = { size: [480, 640] as [number, number], counts: [100_000, 40, 440, 40, 206_680] };

test("choosing a tool without a selection creates an annotation of the last category and shows a message", () => {
  const editor = new TestEditor().choose("Polygon");
  expect(editor.selected).toMatchObject({ category_id: 1, rings: [] });
  expect(editor.editor.ui.store.getState().message).toBe("New annotation of cat");
  expect(editor.toolState).toBe("polygon.idle");
});

test("choosing a tool without a category asks for a category and keeps the Select tool", () => {
  const editor = new TestEditor(sceneOf([], { categories: [] })).choose("BBox");
  expect(editor.editor.ui.store.getState().dialog).toEqual({
    kind: "new category",
    needed: true,
    onCreated: expect.any(Function),
  });
  expect(editor.toolState).toBe("select.idle");
});

test("the Select tool becomes active once nothing is selected", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).choose("Polygon").press("escape");
  expect(editor.editor.selection.state.annotation).toBeNull();
  expect(editor.toolState).toBe("select.idle");
});

test("an annotation that was created for a tool and not used is removed, without an undo step", () => {
  const editor = new TestEditor().choose("Polygon").press("escape");
  expect(editor.annotations).toEqual([]);
  expect(editor.editor.history.store.getState()).toEqual({ undo: null, redo: null });
});

test("an empty new annotation is removed when it is deselected, so pressing Space three times leaves only one", () => {
  const editor = new TestEditor().press(" ").press(" ").press(" ");
  expect(editor.annotations).toHaveLength(1);
  editor.press("escape");
  expect(editor.annotations).toEqual([]);
});

test("a new annotation that was drawn into stays", () => {
  const editor = new TestEditor().press(" ").choose("BBox").drag([20, 10], [80, 60]).press(" ").press("escape");
  expect(editor.annotations).toMatchObject([{ isbbox: true }]);
});

test("an annotation that was created for a tool and named stays", () => {
  const editor = new TestEditor().choose("Polygon");
  editor.editor.commands.rename(editor.selected!.uuid, "tom");
  editor.press("escape");
  expect(editor.annotations).toHaveLength(1);
});

test("an annotation left without shape and keypoints is deleted in the same step", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  await editor.editor.drawing.combine("subtract", async () => []);
  expect(editor.annotations).toEqual([]);
  expect(editor.selected).toBeNull();
  editor.press("control", "z");
  expect(editor.annotations).toEqual([annotationOf(1)]);
});

test("an annotation with remaining keypoints stays", async () => {
  const keypoints = [{ label: 1, x: 5, y: 5, v: 2 }];
  const editor = new TestEditor(sceneOf([annotationOf(1, { keypoints })])).click(150, 150);
  await editor.editor.drawing.combine("subtract", async () => []);
  expect(editor.annotations).toMatchObject([{ rings: [], keypoints }]);
});

test("subtracting from an empty annotation does not delete it", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: [] })])).press("arrowdown").press("arrowright");
  await editor.editor.drawing.combine("subtract", async () => []);
  expect(editor.annotations).toHaveLength(1);
  expect(editor.recorded).toEqual([]);
});

test("drawing on a mask whose outline is still being traced keeps the mask's area", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: null, rle: CROWD, iscrowd: true })]));
  editor.editor.selection.selectAnnotation(annotationOf(1));
  const seen: number[] = [];
  await editor.editor.drawing.combine("unite", async (shape) => {
    seen.push(shape.flat(2).length);
    return [...shape, [[500, 400, 600, 400, 600, 450]]];
  });
  expect(seen[0]).toBeGreaterThan(0);
  expect(editor.selected?.rings).toHaveLength(2);
});

test("undo while a stroke is being computed reverts the stroke", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  const done = editor.editor.drawing.combine("unite", async () => [[[0, 0, 9, 0, 9, 9]]]);
  editor.press("control", "z");
  await done;
  await editor.settled();
  expect(editor.selected?.rings).toEqual([[SQUARE]]);
  expect(editor.recorded).toHaveLength(2);
});

test("two strokes in quick succession are both applied", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  const add = (ring: number[]) => editor.editor.drawing.combine("unite", async (shape) => [...shape, [ring]]);
  await Promise.all([add([0, 0, 9, 0, 9, 9]), add([300, 0, 309, 0, 309, 9])]);
  expect(editor.selected?.rings).toHaveLength(3);
});

test("a failed computation is reported and changes nothing", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  await editor.editor.drawing.combine("unite", () => Promise.reject(new Error("The worker is gone.")));
  expect(editor.toastTitles).toEqual(["Drawing"]);
  expect(editor.annotations).toEqual([annotationOf(1)]);
  await editor.editor.drawing.combine("unite", async (shape) => shape.slice(0, 0));
  expect(editor.annotations).toEqual([]);
});

test("a failure after a stroke is reported, and the next strokes are applied", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  const { drawing } = editor.editor;
  const add = (ring: number[]) => drawing.combine("unite", async (shape) => [...shape, [ring]]);
  const first = add([0, 0, 9, 0, 9, 9]);
  drawing.after(() => {
    throw new Error("It was not possible.");
  });
  await Promise.all([first, add([300, 0, 309, 0, 309, 9])]);
  expect(editor.selected?.rings).toHaveLength(3);
  expect(editor.toastTitles).toEqual(["Drawing"]);
});

test("a stroke into an annotation that another user deletes is dropped", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  const done = editor.editor.drawing.combine("unite", async () => [[[0, 0, 9, 0, 9, 9]]]);
  editor.editor.commands.delete(uuidOf(1));
  await done;
  expect(editor.annotations).toEqual([]);
});

test("a polygon that cannot be united becomes a separate annotation, with a message", async () => {
  const malformed = { size: [480, 640] as [number, number], counts: [1, 2, 3] };
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: null, rle: malformed })]));
  editor.editor.selection.selectAnnotation(annotationOf(1));
  await editor.editor.drawing.polygon([[SQUARE]], false);
  expect(editor.annotations).toMatchObject([{ rle: malformed }, { category_id: 1, rings: [[SQUARE]] }]);
  expect(editor.messages).toEqual([expect.stringMatching(/Your drawing is kept as a separate annotation/)]);
  editor.press("control", "z");
  expect(editor.annotations).toHaveLength(1);
});

test("a polygon that turns out late to be kept separately leaves the selection to the user", async () => {
  const malformed = { size: [480, 640] as [number, number], counts: [1, 2, 3] };
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: null, rle: malformed }), annotationOf(2)]));
  editor.editor.selection.selectAnnotation(annotationOf(1));
  const done = editor.editor.drawing.polygon([[SQUARE]], false);
  editor.editor.selection.selectAnnotation(annotationOf(2));
  await done;
  expect(editor.annotations).toHaveLength(3);
  expect(editor.selected?.id).toBe(2);
});

test("of two boxes that had to wait for a stroke the second is selected", async () => {
  const editor = new TestEditor().choose("BBox");
  void editor.editor.drawing.combine("unite", async () => [[SQUARE]]);
  editor.drag([20, 10], [80, 60]).drag([320, 10], [380, 60]);
  await editor.editor.drawing.settled();
  expect(editor.annotations).toHaveLength(3);
  expect(editor.selected?.rings).toEqual([[[320, 10, 380, 10, 380, 60, 320, 60]]]);
});

test("after Delete the tool stays active, with a new annotation of the same category", () => {
  const editor = new TestEditor();
  editor.editor.selection.selectCategory(2);
  editor.choose("BBox").drag([20, 10], [80, 60]).press("delete");
  expect(editor.toolState).toBe("bbox.idle");
  expect(editor.selected).toMatchObject({ category_id: 2, rings: [] });
  editor.press("control", "z");
  expect(editor.annotations.map(({ rings }) => rings)).toEqual([[[[20, 10, 80, 10, 80, 60, 20, 60]]]]);
  expect(editor.selected).toBe(editor.annotations[0]);
});

test("after Delete the next shape becomes a new annotation, and an empty one is removed when it is deselected", () => {
  const editor = new TestEditor().choose("BBox").drag([20, 10], [80, 60]).press("delete");
  editor.drag([120, 10], [180, 60]);
  expect(editor.annotations).toMatchObject([{ isbbox: true, rings: [[[120, 10, 180, 10, 180, 60, 120, 60]]] }]);
  const other = new TestEditor().choose("BBox").drag([20, 10], [80, 60]).press("delete").press("escape");
  expect(other.annotations).toEqual([]);
  expect(other.recorded.map(({ action }) => action)).toEqual(["create", "modify", "delete"]);
  other.press("control", "z");
  expect(other.annotations).toMatchObject([{ isbbox: true }]);
});

test("deleting an empty annotation leaves the tool", () => {
  const editor = new TestEditor().choose("BBox").press("delete");
  expect(editor.annotations).toEqual([]);
  expect(editor.toolState).toBe("select.idle");
});
