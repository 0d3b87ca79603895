import { expect, test } from "vitest";
import type { Rings } from "../../../../shared/entities/shape";
import { extent } from "../../../../shared/geometry/combine";
import { ringsContain } from "../../../../shared/geometry/polygons";
import type { ToolName } from "../../../../web/annotator/tools/common/tool";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

const onSquare = (tool: ToolName) => new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).choose(tool);
const alt = { alt: true };
const sizeOf = (editor: TestEditor) => extent((editor.selected?.rings ?? []) as Rings);

test("Alt cuts a box out of the selected shape, as one undo step", async () => {
  const editor = await onSquare("BBox").click(120, 120, alt).click(140, 140).settled();
  expect(editor.annotations).toHaveLength(1);
  expect(editor.selected?.rings?.map((polygon) => polygon.length)).toEqual([2]);
  expect(sizeOf(editor)).toBe(9600);
  editor.press("control", "z");
  expect(sizeOf(editor)).toBe(10_000);
});

test("Shift adds a box to the selected shape instead of creating an annotation", async () => {
  const editor = await onSquare("BBox").click(190, 120, { shift: true }).click(240, 140).settled();
  expect(editor.annotations).toHaveLength(1);
  expect(sizeOf(editor)).toBe(10_000 + 40 * 20);
  expect(editor.selected?.isbbox).toBe(false);
});

test("Shift draws a box into a selected annotation without a shape", () => {
  const editor = new TestEditor().choose("BBox").click(20, 10, { shift: true }).click(80, 60);
  expect(editor.selected).toMatchObject({ isbbox: true });
});

test("only the key held at the first corner counts, and the next box without a key becomes a new annotation", async () => {
  const editor = await onSquare("BBox").click(120, 120, alt).click(140, 140).settled();
  editor.click(300, 300).click(320, 320);
  expect(editor.annotations).toHaveLength(2);
});

test("Alt at the first point cuts a polygon out, also with Enter", async () => {
  const editor = onSquare("Polygon").click(120, 120, alt).clicks([180, 120], [180, 180]).press("enter");
  await editor.settled();
  expect(sizeOf(editor)).toBe(10_000 - 1800);
  expect(editor.editor.history.store.getState().undo).toEqual({ name: "Annotation 1", action: "Subtract" });
});

test("cutting everything away deletes the annotation with a message, and undo restores it", async () => {
  const editor = await onSquare("BBox").click(50, 50, alt).click(300, 300).settled();
  expect(editor.annotations).toEqual([]);
  expect(editor.toastTitles).toEqual(["Annotation deleted"]);
  editor.press("control", "z");
  expect(sizeOf(editor)).toBe(10_000);
});

test("there is nothing to cut from an annotation without a shape", () => {
  for (const tool of ["BBox", "Polygon"] as const) {
    const editor = new TestEditor().choose(tool).click(20, 10, alt);
    expect(editor.editor.ui.store.getState().message).toBe("Select a shape to cut from");
    expect(editor.toolState).toMatch(/idle/);
  }
});

test("Alt turns the brush into an eraser, Shift the eraser into a brush", async () => {
  const brush = await onSquare("Brush").click(150, 150, alt).settled();
  expect(ringsContain(brush.selected?.rings ?? [], 150, 150)).toBe(false);
  const eraser = await onSquare("Eraser").click(300, 300, { shift: true }).settled();
  expect(ringsContain(eraser.selected?.rings ?? [], 300, 300)).toBe(true);
});

test("Alt subtracts with the magic wand, as Shift does", async () => {
  const editor = await onSquare("Magic Wand").click(150, 150, alt).settled();
  expect(editor.annotations).toEqual([]);
});
