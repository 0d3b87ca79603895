import { expect, test } from "vitest";
import { ringOfLine } from "../../../../shared/geometry/lines/line";
import { annotationOf, SQUARE, sceneOf, TestEditor } from "../testEditor";

const LINE = [100, 100, 200, 100, 200, 200];
const withLine = () => new TestEditor(sceneOf([annotationOf(1, { rings: [[ringOfLine(LINE)]] })]));
const lines = (editor: TestEditor) => editor.annotations.map(({ rings }) => rings);

test("clicks and Enter draw a line, and the next line becomes another annotation", () => {
  const editor = new TestEditor().choose("Line").clicks([10, 10], [50, 10], [50, 60]).press("enter");
  expect(lines(editor)).toEqual([[[ringOfLine([10, 10, 50, 10, 50, 60])]]]);
  editor.clicks([100, 100], [150, 150]).click(150, 150, { clicks: 2 });
  expect(lines(editor)[1]).toEqual([[ringOfLine([100, 100, 150, 150])]]);
  expect(editor.toolState).toBe("line.idle");
  expect(editor.selected?.category_id).toBe(1);
});

test("a drag draws a straight line that stays on the image", () => {
  const editor = new TestEditor().choose("Line").drag([10, 10], [300, 200], [900, 200]);
  expect(lines(editor)).toEqual([[[ringOfLine([10, 10, 640, 200])]]]);
});

test("Backspace and undo remove points, redo restores them, and Escape discards the line", () => {
  const editor = new TestEditor().choose("Line").clicks([10, 10], [50, 10], [50, 60]).press("backspace");
  editor.press("control", "z").press("control", "y").press("enter");
  expect(lines(editor)).toEqual([[[ringOfLine([10, 10, 50, 10])]]]);
  editor.clicks([10, 10], [50, 90]).press("escape");
  expect(editor.toolState).toBe("line.idle");
  expect(editor.annotations).toHaveLength(1);
});

test("a line whose points are all in one place is not drawn", () => {
  const editor = new TestEditor().choose("Line").clicks([10, 10], [10, 10]).press("enter");
  expect(editor.toolState).toBe("line.drawing");
});

test("points of a line are moved, added and deleted", () => {
  const editor = withLine().click(150, 100).drag([200, 200], [220, 220]);
  expect(lines(editor)).toEqual([[[ringOfLine([100, 100, 200, 100, 220, 220])]]]);
  editor.drag([200, 100], [210, 90]);
  expect(lines(editor)).toEqual([[[ringOfLine([100, 100, 210, 90, 220, 220])]]]);
  editor.click(215, 155);
  expect(lines(editor)).toEqual([[[ringOfLine([100, 100, 210, 90, 215, 155, 220, 220])]]]);
  editor.click(210, 90, { shift: true });
  expect(lines(editor)).toEqual([[[ringOfLine([100, 100, 215, 155, 220, 220])]]]);
});

test("the last two points of a line cannot be deleted", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: [[ringOfLine([100, 100, 200, 100])]] })]));
  editor.click(150, 100).click(200, 100, { shift: true });
  expect(lines(editor)).toEqual([[[ringOfLine([100, 100, 200, 100])]]]);
});

test("dragging a line moves the whole line", () => {
  const editor = withLine().click(150, 100).drag([150, 100], [160, 120]);
  expect(lines(editor)).toEqual([[[ringOfLine(LINE.map((value, i) => value + (i % 2 ? 20 : 10)))]]]);
  expect(editor.editor.history.store.getState().undo?.action).toBe("Move");
});

test("a brush stroke is added to the annotation of a line, and the line stays", async () => {
  const editor = withLine().click(150, 100).choose("Brush").drag([300, 300], [320, 300]);
  await editor.settled();
  expect(editor.selected?.rings).toContainEqual([ringOfLine(LINE)]);
  expect(editor.selected?.rings).toHaveLength(2);
});

test("dragging the outline of a shape that is not a line still inserts a vertex", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).drag([150, 100], [150, 80]);
  expect(lines(editor)).toEqual([[[[...SQUARE.slice(0, 2), 150, 80, ...SQUARE.slice(2)]]]]);
});

test("a third fast click after a double click begins no line", () => {
  const editor = new TestEditor().choose("Line").clicks([100, 100], [150, 150]).click(150, 150, { clicks: 2 });
  editor.click(150, 150, { clicks: 3 });
  expect(editor.toolState).toBe("line.idle");
  expect(editor.sketch).toBeNull();
});
