import { expect, test } from "vitest";
import { boxOnSide, rotateBox, rotatedBoxOf, rotationOf } from "../../../../shared/geometry/forms/rotatedBox";
import { annotationOf, at, sceneOf, TestEditor } from "../testEditor";

const BOX = [200, 200, 300, 200, 300, 250, 200, 250];
const TURNED = rotateBox(BOX, 30);
const ringOf = (editor: TestEditor) => editor.selected?.rings?.[0]?.[0] ?? [];
const upright = (isbbox = true) => sceneOf([annotationOf(1, { rings: [[BOX]], isbbox })]);
const turned = () => sceneOf([annotationOf(1, { rings: [[TURNED]] })]);
const selected = (scene = turned()) => new TestEditor(scene).choose("Select").click(250, 225);

test("three clicks make a rotated box: two ends of a side, and the opposite side", () => {
  const editor = new TestEditor().choose("Rotated Box").clicks([100, 100], [180, 160], [150, 200]);
  expect(ringOf(editor)).toEqual(boxOnSide({ x: 100, y: 100 }, { x: 180, y: 160 }, { x: 150, y: 200 }));
  expect(editor.selected?.isbbox).toBe(false);
  expect(editor.toolState).toBe("rotated box.idle");
});

test("a drag sets the side, and each box is an annotation of its own", () => {
  const editor = new TestEditor().choose("Rotated Box").drag([100, 100], [150, 130], [180, 160]).click(150, 200);
  editor.clicks([300, 300], [400, 320], [390, 400]);
  expect(editor.annotations).toHaveLength(2);
});

test("Backspace removes the side, then the first point; Escape discards all", () => {
  const editor = new TestEditor().choose("Rotated Box").clicks([100, 100], [180, 160]).press("backspace");
  expect(editor.toolState).toBe("rotated box.drawing");
  editor.click(200, 100).click(150, 150);
  expect(rotationOf(ringOf(editor)) % 90).toBe(0);
  editor.clicks([300, 300], [350, 310]).press("escape");
  expect(editor.annotations).toHaveLength(1);
  expect(editor.toolState).toBe("rotated box.idle");
});

test("the handle above a box rotates it as one step, and undo restores the upright box", () => {
  const editor = selected(upright()).drag([250, 172], [290, 190], [303, 225]);
  expect(editor.selected).toMatchObject({ isbbox: true, rings: [[[225, 175, 275, 175, 275, 275, 225, 275]]] });
  editor.press("control", "z");
  expect(editor.selected).toMatchObject({ isbbox: true, rings: [[BOX]] });
  editor.drag([250, 172], [280, 175], [287, 188]);
  expect(editor.selected?.isbbox).toBe(false);
  expect(rotatedBoxOf(editor.selected?.rings ?? [])).not.toBeNull();
  expect(editor.editor.history.store.getState().undo?.action).toBe("Rotate");
});

test("with Shift the rotation is a multiple of 15 degrees", () => {
  const editor = selected(upright());
  editor.editor.pointer.down(at(250, 172));
  editor.editor.pointer.move({ ...at(280, 175), shift: true });
  editor.editor.pointer.up({ ...at(280, 175), shift: true });
  expect(rotationOf(ringOf(editor)) % 15).toBeCloseTo(0, 1);
});

test("dragging a corner or a side of a rotated box keeps it a rotated box", () => {
  const corner = selected();
  corner.drag([TURNED[4]!, TURNED[5]!], [330, 300], [340, 310]);
  expect(rotatedBoxOf(corner.selected?.rings ?? [])).not.toBeNull();
  expect(ringOf(corner).slice(0, 2)).toEqual(TURNED.slice(0, 2));
  const side = selected();
  const middle = [(TURNED[0]! + TURNED[2]!) / 2, (TURNED[1]! + TURNED[3]!) / 2] as const;
  side.drag(middle, [middle[0] + 10, middle[1] - 20], [middle[0] + 20, middle[1] - 40]);
  expect(rotatedBoxOf(side.selected?.rings ?? [])).not.toBeNull();
  expect(rotationOf(ringOf(side))).toBeCloseTo(30, 0);
});

test("with Alt a corner is moved alone, and the box becomes an outline", () => {
  const editor = selected();
  editor.editor.pointer.down({ ...at(TURNED[4]!, TURNED[5]!), alt: true });
  editor.editor.pointer.move(at(340, 310));
  editor.editor.pointer.up(at(340, 310));
  expect(rotatedBoxOf(editor.selected?.rings ?? [])).toBeNull();
  expect(ringOf(editor)).toHaveLength(8);
});

test("an outline that happens to be an upright rectangle has no handle", () => {
  const editor = selected(upright(false)).drag([250, 172], [290, 190], [303, 225]);
  expect(editor.annotations[0]?.rings).toEqual([[BOX]]);
});

test("a double click on the opposite side makes one box", () => {
  const editor = new TestEditor().choose("Rotated Box").clicks([100, 100], [180, 160], [150, 200]);
  editor.click(150, 200, { clicks: 2 });
  expect(editor.toolState).toBe("rotated box.idle");
  expect(editor.annotations).toHaveLength(1);
});
