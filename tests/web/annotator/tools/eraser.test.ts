import { expect, test } from "vitest";
import { ringsContain } from "../../../../shared/geometry/polygons";
import { annotationOf, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

const has = (editor: TestEditor, x: number, y: number) => ringsContain(editor.selected?.rings ?? [], x, y);
const withEraser = (fields: Parameters<typeof annotationOf>[1] = {}, radius = 10) => {
  const preferences = { eraser: { radius }, settings: { simplify: 0 } };
  const editor = new TestEditor(sceneOf([annotationOf(1, fields)], { preferences }));
  editor.editor.selection.selectAnnotation(annotationOf(1));
  return editor.choose("Eraser");
};

test("a click inside a shape makes a hole, which undo removes and redo restores", async () => {
  const editor = await withEraser().click(150, 150).settled();
  expect(editor.selected?.rings?.map((polygon) => polygon.length)).toEqual([2]);
  expect(has(editor, 150, 150)).toBe(false);
  expect(has(editor, 165, 150)).toBe(true);
  expect(editor.editor.history.store.getState().undo?.action).toBe("Subtract");
  editor.press("control", "z");
  expect(editor.selected?.rings).toEqual([[SQUARE]]);
  editor.press("control", "y");
  expect(has(editor, 150, 150)).toBe(false);
});

test("a fast stroke cuts a shape in two without leaving a bridge", async () => {
  const editor = await withEraser().drag([150, 50], [150, 250]).settled();
  expect(editor.selected?.rings).toHaveLength(2);
  for (let y = 100; y <= 200; y += 2) expect(has(editor, 150, y)).toBe(false);
});

test("tiny fragments left by a stroke are dropped, and small pieces elsewhere are kept", async () => {
  const crumb = [400, 400, 402, 400, 402, 402, 400, 402];
  const editor = await withEraser({ rings: [[SQUARE], [crumb]] }, 70)
    .click(150, 150)
    .settled();
  expect(editor.selected?.rings).toEqual([[crumb]]);
});

test("an annotation erased completely is deleted in the same step, with a message, and Select becomes active", async () => {
  const editor = await withEraser({}, 200).click(150, 150).settled();
  expect(editor.annotations).toEqual([]);
  expect(editor.toastTitles).toEqual(["Annotation deleted"]);
  expect(editor.toolState).toBe("select.idle");
  expect(editor.recorded.map(({ action }) => action)).toEqual(["delete"]);
  editor.press("control", "z");
  expect(editor.annotations).toEqual([annotationOf(1)]);
});

test("an annotation with keypoints stays without a shape", async () => {
  const keypoints = [{ label: 1, x: 5, y: 5, v: 2 }];
  const editor = await withEraser({ keypoints }, 200).click(150, 150).settled();
  expect(editor.annotations).toMatchObject([{ uuid: uuidOf(1), rings: [], keypoints }]);
  expect(editor.toastTitles).toEqual([]);
});

test("erasing beside the shape changes and records nothing", async () => {
  const editor = await withEraser().drag([300, 300], [400, 400]).settled();
  expect(editor.recorded).toEqual([]);
});

test("erasing beside a bounding box without a segmentation changes nothing", async () => {
  const box = { rings: null, bbox: [100, 100, 100, 100] as [number, number, number, number] };
  const editor = await withEraser(box).drag([300, 300], [400, 400]).settled();
  expect(editor.annotations).toEqual([annotationOf(1, box)]);
});

test("erasing in an empty annotation does not delete it", async () => {
  const editor = await withEraser({ rings: [] }).click(150, 150).settled();
  expect(editor.annotations).toHaveLength(1);
  expect(editor.recorded).toEqual([]);
});

test("the eraser has its own radius", () => {
  const editor = withEraser({}, 50).press("[");
  expect(editor.preferences).toEqual([{ eraser: { radius: 48, strokeColor: "#ffffff", pressure: true } }]);
  const of = (name: string) => editor.editor.toolbox.store.getState().options[name];
  expect(of("brush")).toBeUndefined();
});
