import { expect, test } from "vitest";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

/** An editor with an empty annotation that was deselected and selected again while a computation ran. */
function returned() {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  const finish = editor.holdBack();
  const { selection } = editor.press(" ").editor;
  const created = editor.selected!;
  selection.selectAnnotation(annotationOf(1));
  selection.selectAnnotation(created);
  return { editor, created, finish };
}

test("an empty annotation that is selected again before a computation ends gets what is drawn into it", async () => {
  const { editor, created, finish } = returned();
  editor.choose("Brush").drag([400, 300], [420, 300]);
  await finish();
  expect(editor.selected?.uuid).toBe(created.uuid);
  expect(editor.selected?.rings).toHaveLength(1);
});

test("an unfinished outline in an empty annotation stays when an earlier computation ends", async () => {
  const { editor, created, finish } = returned();
  editor.choose("Polygon").clicks([400, 300], [460, 300], [460, 360]);
  await finish();
  expect(editor.toolState).toBe("polygon.drawing");
  expect(editor.selected?.uuid).toBe(created.uuid);
  await editor.press("enter").settled();
  expect(editor.selected).toMatchObject({ uuid: created.uuid, rings: [[[400, 300, 460, 300, 460, 360]]] });
});

test("a stroke that waits for a computation keeps its annotation, even if that is deselected again", async () => {
  const { editor, created, finish } = returned();
  editor.choose("Brush").drag([400, 300], [420, 300]);
  editor.editor.selection.selectAnnotation(annotationOf(1));
  await finish();
  expect(editor.editor.document.annotation(created.uuid)?.rings).toHaveLength(1);
});

test("a box that waits for a computation goes into its annotation, even if that is deselected again", async () => {
  const { editor, created, finish } = returned();
  editor.choose("BBox").clicks([400, 300], [460, 360]);
  editor.editor.selection.selectAnnotation(annotationOf(1));
  await finish();
  expect(editor.annotations).toHaveLength(2);
  expect(editor.editor.document.annotation(created.uuid)).toMatchObject({ isbbox: true });
});

test("an empty annotation that is left for good is removed when the computation ends", async () => {
  const { editor, finish } = returned();
  editor.editor.selection.selectAnnotation(annotationOf(1));
  expect(editor.annotations).toHaveLength(2);
  await finish();
  expect(editor.annotations.map(({ id }) => id)).toEqual([1]);
});
