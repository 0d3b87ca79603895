import { expect, test } from "vitest";
import type { Sketch } from "../../../../web/annotator/preferences/sketchStore";
import { SquareResult } from "../testDextr";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

const POINTS = [
  [20, 10],
  [80, 10],
  [80, 60],
] as const;

/** Returns a page that is opened again after another one was closed without notice. */
function reloaded(scene = sceneOf(), kept: Sketch | null): TestEditor {
  const editor = new TestEditor(scene);
  editor.sketch = structuredClone(kept);
  editor.editor.creating.continueSketch();
  return editor;
}

test("a reload in the middle of a polygon keeps its points and its category, and stores no empty annotation", () => {
  const before = new TestEditor();
  before.editor.selection.selectCategory(2);
  before.choose("Polygon").clicks(...POINTS);
  expect(before.recorded).toEqual([]);
  const editor = reloaded(sceneOf(), before.sketch);
  expect(editor.toolState).toBe("polygon.drawing");
  expect(editor.recorded).toEqual([]);
  editor.click(20, 60).press("enter");
  expect(editor.annotations).toMatchObject([{ category_id: 2, rings: [[[20, 10, 80, 10, 80, 60, 20, 60]]] }]);
  expect(editor.sketch).toBeNull();
});

test("a polygon that was begun in an existing annotation is added to it", async () => {
  const before = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  before.choose("Polygon").clicks(...POINTS);
  const editor = reloaded(sceneOf([annotationOf(1)]), before.sketch);
  await editor.press("enter").settled();
  expect(editor.annotations).toMatchObject([{ id: 1 }]);
  expect(editor.annotations[0]?.rings).toHaveLength(2);
});

test("restored points are undone one by one", () => {
  const before = new TestEditor().choose("Polygon").clicks(...POINTS);
  const editor = reloaded(sceneOf(), before.sketch).press("control", "z").press("backspace");
  expect(editor.sketch?.ring).toEqual([20, 10]);
});

test("a reload in the middle of a line keeps its points and its category, and the finished line is a new annotation", () => {
  const before = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  before
    .choose("Line")
    .clicks(...POINTS)
    .press("backspace");
  const editor = reloaded(sceneOf([annotationOf(1)]), before.sketch);
  expect(editor.toolState).toBe("line.drawing");
  expect(editor.sketch?.ring).toEqual([20, 10, 80, 10]);
  editor.click(80, 60).press("enter");
  expect(editor.annotations).toHaveLength(2);
  expect(editor.annotations[1]?.rings).toEqual([[[20, 10, 80, 10, 80, 60, 80, 60, 80, 10]]]);
  expect(editor.sketch).toBeNull();
});

test("a polygon that is finished, discarded or left by choosing another tool is not kept", () => {
  for (const end of ["enter", "escape", "s"]) {
    const editor = new TestEditor().choose("Polygon").clicks(...POINTS);
    expect(editor.sketch?.ring).toEqual(POINTS.flat());
    editor.press(end);
    expect([end, editor.sketch]).toEqual([end, null]);
  }
});

test("going to another image keeps the polygon until the user returns", () => {
  const editor = new TestEditor().choose("Polygon").clicks(...POINTS);
  editor.editor.leave();
  expect(editor.sketch?.ring).toEqual(POINTS.flat());
  expect(editor.recorded).toEqual([]);
});

test("a polygon whose category no longer exists is not restored", () => {
  const before = new TestEditor().choose("Polygon").clicks(...POINTS);
  const editor = reloaded({ ...sceneOf(), categories: [] }, before.sketch);
  expect(editor.toolState).toBe("select.idle");
});

test("DEXTR's points are restored after a reload, and are undone one by one", () => {
  const before = new TestEditor().choose("DEXTR").clicks(...POINTS);
  const editor = reloaded(sceneOf(), before.sketch);
  expect(editor.toolState).toBe("dextr.setting");
  expect(editor.recorded).toEqual([]);
  editor.press("control", "z");
  expect(editor.sketch).toMatchObject({ tool: "DEXTR", ring: [20, 10, 80, 10] });
  editor.press("escape");
  expect(editor.sketch).toBeNull();
});

test("DEXTR requests the outline again for complete restored points, and then forgets the points", async () => {
  const before = new TestEditor().choose("DEXTR").clicks(...POINTS, [20, 60]);
  const editor = reloaded(sceneOf(), before.sketch);
  editor.dextr.last.answer(new SquareResult(20, 10, 50));
  await editor.settled();
  await editor.settled();
  expect(editor.annotations).toHaveLength(1);
  expect(editor.annotations[0]?.rings).toHaveLength(1);
  expect(editor.sketch).toBeNull();
});

test("DEXTR's points for the next object are not added to the kept object after a reload", async () => {
  const before = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).choose("DEXTR");
  before.clicks([350, 100], [300, 150], [350, 200], [400, 150]);
  before.dextr.last.answer(new SquareResult(300, 100, 100));
  await before.settled();
  await before.settled();
  before.press("enter").clicks(...POINTS);
  const editor = reloaded(sceneOf([annotationOf(1)]), before.sketch);
  expect(editor.selected?.id).toBeNull();
  expect(editor.annotations).toHaveLength(2);
});

test("points of a cut are not kept", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).choose("DEXTR");
  expect(editor.click(150, 110, { alt: true }).sketch).toBeNull();
});
