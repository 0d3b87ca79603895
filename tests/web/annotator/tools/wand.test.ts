import { expect, test } from "vitest";
import { ringsContain } from "../../../../shared/geometry/polygons";
import type { Pixels } from "../../../../shared/wand/pixels";
import { annotationOf, at, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

const GREY = 0xff808080;
const RED = 0xff0000ff;
const BLUE = 0xffff0000;

/**
 * Grey, with a red square of 200 by 200 at (50, 50), which contains a grey one of 60 by 60 at (120, 120), and a blue
 * one beside it.
 */
const IMAGE = drawn([RED, 50, 50, 200], [GREY, 120, 120, 60], [BLUE, 350, 50, 200]);

function drawn(...squares: [color: number, x: number, y: number, side: number][]): Pixels {
  const colors = new Uint32Array(640 * 480).fill(GREY);
  for (const [color, x, y, side] of squares)
    for (let row = y; row < y + side; row++) colors.fill(color, row * 640 + x, row * 640 + x + side);
  return { width: 640, height: 480, colors };
}

/** With little blur, so that corners stay in place. */
const PREFERENCES = { magicwand: { blur: 1 }, settings: { simplify: 0 } };
const withWand = (scene = sceneOf([], { preferences: PREFERENCES })) =>
  new TestEditor(scene, [], IMAGE).choose("Magic Wand");
const has = (editor: TestEditor, x: number, y: number) => ringsContain(editor.selected?.rings ?? [], x, y);
const steps = (editor: TestEditor) => editor.recorded.filter(({ action }) => action === "modify").length;

test("a click adds the region of similar colour with its hole", async () => {
  const editor = await withWand().click(60, 60).settled();
  expect(editor.selected?.rings?.map((polygon) => polygon.length)).toEqual([2]);
  expect(has(editor, 230, 230)).toBe(true);
  expect(has(editor, 150, 150)).toBe(false);
  expect(has(editor, 300, 150)).toBe(false);
  expect(editor.editor.history.store.getState().undo?.action).toBe("Unite");
});

test("a drag over several colours is one step", async () => {
  const editor = await withWand().drag([60, 60], [150, 60], [400, 60]).settled();
  expect(steps(editor)).toBe(1);
  expect(has(editor, 60, 60)).toBe(true);
  expect(has(editor, 400, 200)).toBe(true);
  expect(has(editor, 300, 60)).toBe(false);
  editor.press("control", "z");
  expect(editor.selected?.rings).toEqual([]);
  editor.press("control", "y");
  expect(has(editor, 400, 200)).toBe(true);
});

test("with Shift the region is removed", async () => {
  const scene = sceneOf([annotationOf(1)], { preferences: PREFERENCES });
  const editor = new TestEditor(scene, [], IMAGE).click(110, 110).choose("Magic Wand");
  await editor.click(150, 150, { shift: true }).settled();
  expect(editor.selected?.rings?.map((polygon) => polygon.length)).toEqual([2]);
  expect(has(editor, 150, 150)).toBe(false);
  expect(has(editor, 110, 110)).toBe(true);
  await editor.click(60, 60, { shift: true }).settled();
  expect(editor.annotations).toEqual([]);
  expect(editor.toastTitles).toEqual(["Annotation deleted"]);
  editor.press("control", "z").press("control", "z");
  expect(editor.annotations).toEqual([annotationOf(1)]);
});

test("clicks outside the image are ignored, including its right and lower border", async () => {
  const editor = withWand();
  for (const [x, y] of [
    [-1, 10],
    [640, 10],
    [10, 480],
    [10, -0.5],
    [9000, 9000],
  ] as const)
    await editor.click(x, y).settled();
  expect(steps(editor)).toBe(0);
  expect(editor.selected?.rings).toEqual([]);
  expect(editor.toastTitles).toEqual([]);
});

test("a drag that begins outside the image adds the regions that it reaches", async () => {
  const editor = await withWand().drag([-20, 60], [60, 60]).settled();
  expect(has(editor, 60, 60)).toBe(true);
});

test("Escape cancels a gesture, and the next one starts over", async () => {
  const editor = withWand();
  editor.editor.pointer.down(at(400, 100));
  expect(editor.toolState).toBe("wand.growing");
  await editor.settled();
  expect(editor.editor.ui.store.getState().isDrawing).toBe(true);
  editor.press("escape");
  editor.editor.pointer.move(at(410, 100));
  editor.editor.pointer.up(at(410, 100));
  await editor.settled();
  expect(steps(editor)).toBe(0);
  expect(editor.editor.ui.store.getState().isDrawing).toBe(false);
  await editor.click(60, 60).settled();
  expect(has(editor, 60, 60)).toBe(true);
  expect(has(editor, 400, 100)).toBe(false);
});

test("a second finger cancels the gesture", async () => {
  const editor = withWand();
  editor.editor.pointer.down(at(400, 100));
  editor.editor.pointer.abort();
  await editor.settled();
  expect(steps(editor)).toBe(0);
  expect(editor.toolState).toBe("wand.idle");
});

test("two clicks in quick succession are two steps, each with its own region", async () => {
  const editor = await withWand().click(60, 60).click(400, 100).settled();
  expect(steps(editor)).toBe(2);
  expect(has(editor, 60, 60) && has(editor, 400, 100)).toBe(true);
  editor.press("control", "z");
  expect(has(editor, 60, 60)).toBe(true);
  expect(has(editor, 400, 100)).toBe(false);
});

test("a region still being computed when another tool is chosen is not lost", async () => {
  const editor = await withWand().click(60, 60).choose("Brush").settled();
  expect(has(editor, 230, 230)).toBe(true);
});

test("undo right after the release reverts the region", async () => {
  const editor = withWand().click(60, 60);
  editor.press("control", "z");
  await editor.settled();
  await editor.settled();
  expect(editor.selected?.rings).toEqual([]);
});

test("a gesture is cancelled when another annotation is selected during it", async () => {
  const scene = sceneOf([annotationOf(1), annotationOf(2)], { preferences: PREFERENCES });
  const editor = new TestEditor(scene, [], IMAGE).click(150, 150).choose("Magic Wand");
  editor.editor.pointer.down(at(400, 100));
  const other = editor.selected?.uuid === uuidOf(1) ? annotationOf(2) : annotationOf(1);
  editor.editor.selection.selectAnnotation(other);
  editor.editor.pointer.up(at(400, 100));
  await editor.settled();
  expect(editor.recorded).toEqual([]);
});

test("a region that is already covered is not a step", async () => {
  const editor = await withWand().click(60, 60).settled();
  await editor.click(200, 60).settled();
  expect(steps(editor)).toBe(1);
});

test("an unreadable image is reported once, and nothing changes", async () => {
  const scene = sceneOf([annotationOf(1)], { preferences: PREFERENCES });
  const editor = new TestEditor(scene).click(150, 150);
  const grow = () => Promise.reject(new Error("The image could not be loaded."));
  const broken = { grow, prepare() {}, end() {}, close() {} };
  Object.assign(editor.editor.parts.compute, { wand: () => broken });
  editor.choose("Magic Wand");
  editor.editor.pointer.down(at(60, 60));
  editor.editor.pointer.move(at(90, 60));
  editor.editor.pointer.up(at(120, 60));
  await editor.settled();
  expect(editor.toastTitles).toEqual(["Magic Wand"]);
  expect(editor.annotations[0]?.rings).toEqual([[SQUARE]]);
  expect(editor.recorded).toEqual([]);
  expect(editor.toolState).toBe("wand.idle");
});

test("a blur of 0 is kept and counts as 1; thresholds have their bounds", () => {
  const stored = (magicwand: Record<string, number>) => {
    const { toolbox } = new TestEditor(sceneOf([], { preferences: { magicwand } })).choose("Magic Wand").editor;
    return toolbox.optionsOf(toolbox.tool);
  };
  expect(stored({ blur: 0, threshold: 0 })).toEqual({ blur: 0, threshold: 0 });
  expect(stored({ blur: -1, threshold: 1001 })).toEqual({ blur: 0, threshold: 1000 });
  expect(stored({})).toEqual({ blur: 40, threshold: 30 });
});
