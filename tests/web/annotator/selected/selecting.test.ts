import { expect, test } from "vitest";
import type { Annotation } from "../../../../shared/entities/annotation";
import { annotationOf, at, sceneOf, TestEditor, uuidOf } from "../testEditor";

const squareAt = (x: number, y: number): number[] => [x, y, x + 50, y, x + 50, y + 50, x, y + 50];

/** Annotations 1 to `count` of the category "cat" in a row, 100 pixels apart, each 50 pixels wide and high. */
function row(count: number, fields: Partial<Annotation> = {}): TestEditor {
  const annotations = Array.from({ length: count }, (_, i) =>
    annotationOf(i + 1, { rings: [[squareAt(100 * i + 20, 100)]], ...fields }),
  );
  return new TestEditor(sceneOf(annotations));
}

/** Returns the ids of the selected annotations, the main one first. */
function selectedIds({ editor }: TestEditor): (number | null)[] {
  const { all, annotation } = editor.selection.state;
  const ids = [...all].map((uuid) => editor.document.annotation(uuid)?.id ?? null).sort();
  const main = editor.document.annotation(annotation)?.id ?? null;
  return all.size === 0 ? [] : [main, ...ids.filter((id) => id !== main)];
}

const add = { shift: true };

test("Shift+click selects a shape in addition, as the main one, and deselects it again", () => {
  const editor = row(3).click(40, 120).click(140, 120, add);
  expect(selectedIds(editor)).toEqual([2, 1]);
  editor.click(240, 120, { control: true });
  expect(selectedIds(editor)).toEqual([3, 1, 2]);
  editor.click(240, 120, add);
  expect(selectedIds(editor)).toEqual([1, 2]);
  editor.click(500, 400, add);
  expect(selectedIds(editor)).toEqual([1, 2]);
});

test("a click selects one shape alone, even if several are selected", () => {
  const editor = row(3).click(40, 120).click(140, 120, add).click(40, 120);
  expect(selectedIds(editor)).toEqual([1]);
  editor.click(140, 120, add).click(500, 400);
  expect(selectedIds(editor)).toEqual([]);
});

test("a drag from an empty part of the image selects the shapes entirely in the box; with Shift, in addition to the others", () => {
  const editor = row(4).drag([10, 90], [200, 160]);
  expect(selectedIds(editor)).toEqual([1, 2]);
  editor.drag([210, 90], [330, 160]);
  expect(selectedIds(editor)).toEqual([3]);
  editor.editor.pointer.down({ ...at(10, 90), shift: true });
  editor.move(100, 160);
  editor.editor.pointer.up(at(100, 160));
  expect(selectedIds(editor)).toEqual([3, 1]);
  editor.drag([10, 300], [20, 310]);
  expect(selectedIds(editor)).toEqual([]);
});

test("a drag beside the image, on a shape or with a finger still pans the view", () => {
  const { pointer } = row(1).editor;
  expect(pointer.down(at(-20, 100))).toBe(false);
  expect(pointer.down(at(40, 120))).toBe(false);
  expect(pointer.down({ ...at(300, 300), kind: "touch" })).toBe(false);
});

test("a box that is interrupted or cancelled does not change the selection", () => {
  const editor = row(2).click(40, 120);
  editor.editor.pointer.down(at(10, 90));
  editor.move(300, 300).press("escape");
  expect(editor.toolState).toBe("select.idle");
  editor.editor.pointer.down(at(10, 90));
  editor.move(300, 300);
  editor.editor.pointer.abort();
  expect(selectedIds(editor)).toEqual([1]);
});

test("while several shapes are selected, no vertex can be moved or deleted", () => {
  const editor = row(2).click(40, 120).click(140, 120, add);
  editor.click(120, 100, add);
  expect(selectedIds(editor)).toEqual([1]);
  expect(editor.recorded).toEqual([]);
});

test("Control+A selects all visible annotations, Control+Shift+A all of the category", () => {
  const annotations = [annotationOf(1), annotationOf(2, { category_id: 2 }), annotationOf(3)];
  const editor = new TestEditor(sceneOf(annotations));
  editor.editor.layers.toggleAnnotation(uuidOf(3));
  editor.press("control", "a");
  expect(selectedIds(editor)).toEqual([1, 2]);
  editor.editor.layers.showAll();
  editor.editor.selection.selectCategory(1);
  editor.press("control", "shift", "a");
  expect(selectedIds(editor)).toEqual([1, 3]);
  editor.press("control", "i");
  expect(selectedIds(editor)).toEqual([2]);
  editor.press("control", "a").press("control", "i");
  expect(selectedIds(editor)).toEqual([]);
});

test("Escape deselects all annotations, then the category", () => {
  const editor = row(3).press("control", "a").press("escape");
  expect(editor.editor.selection.state).toMatchObject({ category: 1, annotation: null });
  expect(selectedIds(editor)).toEqual([]);
  editor.press("escape");
  expect(editor.editor.selection.state.category).toBeNull();
});

test("hidden annotations, and annotations that other users delete, are removed from a multiple selection", () => {
  const editor = row(4).press("control", "a");
  editor.editor.layers.toggleAnnotation(uuidOf(1));
  expect(selectedIds(editor)).toEqual([2, 3, 4]);
  const gone = { subject: "annotation", subject_id: uuidOf(2), revision: 4, action: "delete" } as const;
  const change = { ...gone, image_revision: 6, fields: {}, edit: null, client: "other", user: "bob" };
  editor.editor.document.applyRemote([change], 6);
  expect(selectedIds(editor)).toEqual([3, 4]);
  editor.editor.layers.toggleCategory(1);
  expect(selectedIds(editor)).toEqual([]);
});

test("a range in the tree reaches from the main annotation to another one, in the tree's order", () => {
  const editor = row(5);
  editor.editor.layers.expand(1, true);
  editor.editor.selection.selectAnnotation({ uuid: uuidOf(2), category_id: 1 });
  editor.editor.navigation.selectTo(uuidOf(4));
  expect(selectedIds(editor)).toEqual([2, 3, 4]);
  editor.editor.navigation.selectTo(uuidOf(1));
  expect(selectedIds(editor)).toEqual([2, 1]);
});

test("a range in the tree can be added to the annotations that were selected before", () => {
  const editor = row(5);
  editor.editor.layers.expand(1, true);
  editor.editor.selection.selectAnnotation({ uuid: uuidOf(1), category_id: 1 });
  editor.editor.selecting.toggle(uuidOf(3));
  editor.editor.navigation.selectTo(uuidOf(5), true);
  expect(new Set(selectedIds(editor))).toEqual(new Set([1, 3, 4, 5]));
});

test("several selected annotations are announced with their number", () => {
  const editor = row(3).press("control", "a");
  expect(editor.editor.ui.store.getState()).toMatchObject({ message: "3 annotations selected", isOnlyAnnounced: true });
});

test("all annotations of a category are added to the selection and removed from it, except hidden and locked ones", () => {
  const of = (id: number, category_id: number) => annotationOf(id, { category_id });
  const { editor } = new TestEditor(sceneOf([of(1, 1), of(2, 2), of(3, 1), of(4, 1), of(5, 1)]));
  const { selecting, selection, layers, locks } = editor;
  layers.toggleAnnotation(uuidOf(4));
  locks.set([uuidOf(5)], true);
  selecting.select([uuidOf(1), uuidOf(2)]);
  selecting.toggleCategory(1);
  expect([...selection.state.all].sort()).toEqual([uuidOf(1), uuidOf(2), uuidOf(3)]);
  selecting.toggleCategory(1);
  expect([...selection.state.all]).toEqual([uuidOf(2)]);
});
