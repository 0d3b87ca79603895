import { expect, test } from "vitest";
import type { Annotation } from "../../../../shared/entities/annotation";
import { stubLocalStorage } from "../stubLocalStorage";
import { annotationOf, at, sceneOf, TestEditor, uuidOf } from "../testEditor";

const box = (x: number, size: number): number[] => [x, 100, x + size, 100, x + size, 100 + size, x, 100 + size];
const values = ({ annotations }: TestEditor, name: string) => annotations.map(({ attributes }) => attributes[name]);
const selectedIds = ({ editor }: TestEditor) =>
  [...editor.selection.state.all].map((uuid) => editor.document.annotation(uuid)?.id);

/** An editor with a large annotation 1, a small annotation 2 on top of it, and an annotation 3 beside both. */
function stack(fields: Partial<Annotation>[] = []): TestEditor {
  const rings = [box(100, 100), box(120, 40), box(400, 50)];
  return new TestEditor(sceneOf(rings.map((ring, i) => annotationOf(i + 1, { rings: [[ring]], ...fields[i] }))));
}

stubLocalStorage();

test("an annotation brought to the front is hit first, and undo moves it back", () => {
  const editor = stack().click(130, 110);
  expect(editor.selected?.id).toBe(2);
  editor.click(180, 180).press("control", "]");
  expect(values(editor, "z_order")).toEqual([1, undefined, undefined]);
  editor.press("escape").press("escape").click(130, 110);
  expect(editor.selected?.id).toBe(1);
  editor.press("control", "z");
  expect(values(editor, "z_order")).toEqual([undefined, undefined, undefined]);
});

test("several annotations keep their relative order, in one step", () => {
  const editor = stack([
    { attributes: { z_order: -1 } },
    { attributes: { z_order: 2 } },
    { attributes: { z_order: 5 } },
  ]);
  editor.editor.selecting.select([uuidOf(1), uuidOf(2)]);
  editor.press("control", "]");
  expect(values(editor, "z_order")).toEqual([6, 9, 5]);
  expect(editor.recorded).toHaveLength(2);
  editor.press("control", "z");
  expect(values(editor, "z_order")).toEqual([-1, 2, 5]);
});

test("forward and backward pass the next overlapping annotation, and no others", () => {
  const editor = stack().click(180, 180).press("alt", "]");
  expect(values(editor, "z_order")).toEqual([1, undefined, undefined]);
  editor.press("alt", "[");
  expect(values(editor, "z_order")).toEqual([-1, undefined, undefined]);
  expect(editor.press("alt", "[").recorded).toHaveLength(2);
});

test("a locked annotation is not hit, not selected with all, not deleted and not changed until it is unlocked", () => {
  const editor = stack().click(430, 130).press("shift", "l");
  editor.press("delete").press("shift", "q").press("2").drag([430, 130], [440, 140], [450, 150]);
  editor.editor.commands.reshape(uuidOf(3), [[box(0, 9)]], false, "Move");
  expect(editor.recorded).toEqual([]);
  editor.press("escape").press("escape").click(430, 130);
  expect(editor.selected).toBeNull();
  editor.press("control", "a");
  expect(selectedIds(editor)).toEqual([1, 2]);
  editor.editor.selecting.select([uuidOf(3)]);
  editor.press("shift", "l").press("delete");
  expect(editor.annotations.map(({ id }) => id)).toEqual([1, 2]);
});

test("locks are remembered by image, and deleting several annotations keeps the locked ones", () => {
  const editor = stack().click(430, 130).press("shift", "l");
  expect(stack().editor.locks.isLocked(uuidOf(3))).toBe(true);
  editor.editor.selecting.select([uuidOf(1), uuidOf(2), uuidOf(3)]);
  editor.press("delete");
  expect(editor.annotations.map(({ id }) => id)).toEqual([3]);
});

test("a click on one annotation of a group selects all, a second click only that one, and the group moves together", () => {
  const editor = stack();
  editor.editor.selecting.select([uuidOf(1), uuidOf(3)]);
  editor.press("control", "g");
  expect(values(editor, "group_id")).toEqual([1, undefined, 1]);
  editor.press("escape").press("escape").click(430, 130);
  expect(selectedIds(editor)).toEqual([1, 3]);
  editor.drag([430, 130], [435, 135], [440, 140]);
  expect(editor.annotations.map(({ rings }) => rings?.[0]?.[0]?.[0])).toEqual([110, 120, 410]);
  editor.click(440, 140);
  expect(selectedIds(editor)).toEqual([3]);
  editor.click(440, 140).press("control", "shift", "g");
  expect(values(editor, "group_id")).toEqual([undefined, undefined, undefined]);
});

test("a fast second press on a group selects one annotation and opens no settings", () => {
  const editor = stack([{ attributes: { group_id: 4 } }, {}, { attributes: { group_id: 4 } }]);
  editor.click(150, 150);
  expect(editor.editor.selection.state.all.size).toBe(2);
  editor.click(150, 150, { clicks: 2 });
  expect(editor.editor.selection.state.all.size).toBe(1);
  expect(editor.editor.ui.store.getState().dialog).toBeNull();
});

test("copies of a group form a new group", async () => {
  const editor = stack([{ attributes: { group_id: 4 } }, {}, { attributes: { group_id: 4 } }]);
  editor.editor.selecting.select([uuidOf(1), uuidOf(3)]);
  editor.press("control", "d");
  await editor.settled();
  expect(values(editor, "group_id")).toEqual([4, undefined, 4, 5, 5]);
});

test("a box around one annotation of a group selects the whole group", () => {
  const editor = stack([{ attributes: { group_id: 4 } }, {}, { attributes: { group_id: 4 } }]);
  editor.editor.pointer.down(at(380, 80));
  editor.move(500, 200);
  editor.editor.pointer.up(at(500, 200));
  expect(selectedIds(editor)).toEqual([1, 3]);
});
