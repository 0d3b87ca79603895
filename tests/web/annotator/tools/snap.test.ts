import { expect, test } from "vitest";
import { annotationOf, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

/** A square from (100, 100) to (200, 200), and a triangle to the right of it. */
const scene = () => sceneOf([annotationOf(1), annotationOf(2, { rings: [[[300, 100, 400, 100, 350, 200]]] })]);
const snapping = () => new TestEditor(scene()).press("shift", "s");
const ringOf = (editor: TestEditor, n: number) =>
  editor.annotations.find(({ uuid }) => uuid === uuidOf(n))?.rings?.[0]?.[0];
const drawn = (editor: TestEditor) => editor.selected?.rings?.[0]?.[0];

test("with snapping on, points of a polygon move to corners and sides of other shapes nearby", () => {
  const editor = snapping().press(" ").choose("Polygon").clicks([204, 104], [203, 150], [260, 150]).press("enter");
  expect(drawn(editor)).toEqual([200, 100, 200, 150, 260, 150]);
  const off = new TestEditor(scene()).press(" ").choose("Polygon").clicks([204, 104], [203, 150], [260, 150]);
  expect(drawn(off.press("enter"))).toEqual([204, 104, 203, 150, 260, 150]);
});

test("a much nearer side wins over a corner, unless the corner is only a few pixels away", () => {
  const editor = snapping().press(" ").choose("Polygon").clicks([202, 108], [202, 197], [260, 150]).press("enter");
  expect(drawn(editor)).toEqual([200, 108, 200, 200, 260, 150]);
});

test("between two clicks on one border, the polygon follows the border, and undo removes one click at a time", () => {
  const editor = snapping().press(" ").choose("Polygon").clicks([202, 130], [150, 203]);
  expect(editor.sketch?.ring).toEqual([200, 130, 200, 200, 150, 200]);
  editor.press("control", "z");
  expect(editor.sketch?.ring).toEqual([200, 130]);
  editor.press("control", "y").click(260, 260).press("enter");
  expect(drawn(editor)).toEqual([200, 130, 200, 200, 150, 200, 260, 260]);
});

test("a border is followed only between two clicks on the same shape", () => {
  const editor = snapping().press(" ").choose("Polygon").clicks([202, 130], [298, 98], [250, 40]).press("enter");
  expect(drawn(editor)).toEqual([200, 130, 300, 100, 250, 40]);
});

test("a point dragged with Select snaps to a neighbour's corner, but not to its own shape", () => {
  const editor = snapping().click(350, 120).drag([350, 200], [250, 190], [204, 197]);
  expect(ringOf(editor, 2)).toContain(200);
  expect(ringOf(editor, 2)).toEqual([300, 100, 400, 100, 200, 200]);
  editor.drag([400, 100], [350, 102], [303, 104]);
  expect(ringOf(editor, 2)).toEqual([300, 100, 303, 104, 200, 200]);
  expect(ringOf(editor, 1)).toEqual(SQUARE);
});
