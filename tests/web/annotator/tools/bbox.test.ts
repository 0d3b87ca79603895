import { expect, test } from "vitest";
import { annotationOf, at, sceneOf, TestEditor } from "../testEditor";

test("two clicks make a box, whichever corner comes first", () => {
  const editor = new TestEditor().choose("BBox").click(80, 60);
  expect(editor.toolState).toBe("bbox.drawing");
  editor.click(20, 10);
  expect(editor.selected).toMatchObject({ isbbox: true, rings: [[[20, 10, 80, 10, 80, 60, 20, 60]]] });
});

test("press, drag and release make a box", () => {
  const editor = new TestEditor().choose("BBox").drag([20, 10], [50, 30], [80, 60]);
  expect(editor.selected?.rings).toEqual([[[20, 10, 80, 10, 80, 60, 20, 60]]]);
});

test("a second box becomes a second annotation of the same category", () => {
  const scene = sceneOf([annotationOf(1, { category_id: 1 })]);
  const editor = new TestEditor(scene);
  editor.editor.selection.selectCategory(2);
  editor.choose("BBox").drag([20, 10], [80, 60]).drag([300, 300], [320, 320]);
  expect(editor.annotations.map(({ category_id }) => category_id)).toEqual([1, 2, 2]);
  expect(editor.recorded.map(({ action }) => action)).toEqual(["create", "modify", "create"]);
});

test("a box is drawn into a selected annotation without a shape", () => {
  const editor = new TestEditor().press(" ").choose("BBox").drag([20, 10], [80, 60]);
  expect(editor.annotations).toHaveLength(1);
  expect(editor.selected).toMatchObject({ isbbox: true });
  editor.press("control", "z");
  expect(editor.selected).toMatchObject({ isbbox: false, rings: [] });
});

test("Escape after the first corner cancels the box", () => {
  const editor = new TestEditor().choose("BBox").click(20, 10).move(50, 50).press("escape").click(100, 100);
  expect(editor.toolState).toBe("bbox.drawing");
  expect(editor.selected?.rings).toEqual([]);
});

test("a box without width or height is not created", () => {
  const editor = new TestEditor().choose("BBox").click(20, 10).click(20, 60);
  expect(editor.selected?.rings).toEqual([]);
  expect(editor.toolState).toBe("bbox.drawing");
});

test("a cancelled press creates nothing", () => {
  const editor = new TestEditor().choose("BBox");
  editor.editor.pointer.down(at(20, 10));
  editor.move(80, 60);
  editor.editor.pointer.abort();
  expect(editor.toolState).toBe("bbox.idle");
  expect(editor.selected?.rings).toEqual([]);
});

test("a box stays within the image", () => {
  const editor = new TestEditor().choose("BBox").drag([600, 400], [900, 900]);
  expect(editor.selected?.rings).toEqual([[[600, 400, 640, 400, 640, 480, 600, 480]]]);
});

test("Shift pressed after the first corner makes a square", () => {
  const editor = new TestEditor().choose("BBox").click(20, 10).click(80, 30, { shift: true });
  expect(editor.selected?.rings).toEqual([[[20, 10, 80, 10, 80, 70, 20, 70]]]);
});

test.each(["BBox", "Ellipse"] as const)("a double click on the second corner of a %s makes one shape", (tool) => {
  const editor = new TestEditor().choose(tool).clicks([20, 10], [80, 60]).click(80, 60, { clicks: 2 }).click(300, 300);
  expect(editor.annotations).toHaveLength(1);
  expect(editor.toolState).toMatch(/drawing$/);
  editor.click(400, 400);
  expect(editor.annotations).toHaveLength(2);
});

test("a fast click elsewhere begins the next box", () => {
  const editor = new TestEditor().choose("BBox").clicks([20, 10], [80, 60], [88, 60], [120, 90]);
  expect(editor.annotations).toHaveLength(2);
});
