import { expect, test } from "vitest";
import { ringsBounds } from "../../../../shared/geometry/polygons";
import { annotationOf, at, sceneOf, TestEditor } from "../testEditor";

const boundsOf = (editor: TestEditor) => ringsBounds(editor.selected?.rings ?? []);

test("a drag makes an ellipse, stored as a polygon in the box between the corners", () => {
  const editor = new TestEditor().choose("Ellipse").drag([20, 10], [50, 30], [80, 60]);
  expect(boundsOf(editor)).toEqual([20, 10, 60, 50]);
  expect(editor.selected?.isbbox).toBe(false);
  expect(editor.selected?.rings?.[0]?.[0]?.length).toBeGreaterThan(16);
});

test("each ellipse is an annotation of its own, made by drags or by two clicks", () => {
  const editor = new TestEditor().choose("Ellipse").drag([20, 10], [80, 60]).clicks([200, 200], [300, 240]);
  expect(editor.annotations).toHaveLength(2);
  editor.press("control", "z").press("control", "z");
  expect(editor.annotations.flatMap(({ rings }) => rings)).toEqual([]);
});

test("Shift pressed after the first corner makes a circle that stays on the image", () => {
  const editor = new TestEditor().choose("Ellipse").click(20, 10).click(80, 60, { shift: true });
  expect(boundsOf(editor)).toEqual([20, 10, 60, 60]);
  editor.click(600, 400).click(640, 300, { shift: true });
  expect(boundsOf(editor)).toEqual([600, 360, 40, 40]);
});

test("Shift held at the first corner adds to the shape, and makes a circle only when it is pressed again", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).choose("Ellipse");
  const shift = { shift: true };
  editor.editor.pointer.down({ ...at(150, 150), ...shift });
  editor.editor.pointer.move({ ...at(250, 170), ...shift });
  editor.editor.pointer.up({ ...at(250, 170), ...shift });
  await editor.settled();
  expect(editor.annotations).toHaveLength(1);
  expect(boundsOf(editor)).toEqual([100, 100, 150, 100]);
  editor.editor.pointer.down({ ...at(200, 150), ...shift });
  editor.editor.pointer.move(at(210, 160));
  editor.editor.pointer.up({ ...at(300, 160), ...shift });
  await editor.settled();
  expect(boundsOf(editor)).toEqual([100, 100, 200, 150]);
});

test("Alt cuts the ellipse out, and Escape discards an unfinished one", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).choose("Ellipse");
  editor.click(120, 120, { alt: true }).click(180, 180);
  await editor.settled();
  expect(editor.selected?.rings?.[0]).toHaveLength(2);
  editor.click(20, 20).press("escape");
  expect(editor.toolState).toBe("ellipse.idle");
});
