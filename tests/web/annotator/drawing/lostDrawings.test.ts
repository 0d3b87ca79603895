import { expect, test } from "vitest";
import { SquareResult } from "../testDextr";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

const LOST = ["info: Another user deleted the annotation that you were changing, and your unfinished drawing with it."];
/** Message if the points drawn so far can be continued after the annotation is restored. */
const KEPT = ["info: Another user deleted the annotation that you were drawing. Restore it to continue your drawing."];
const OBJECT = [
  [350, 100],
  [300, 150],
  [350, 200],
  [400, 150],
] as const;

const onSquare = () =>
  new TestEditor(sceneOf([annotationOf(1), annotationOf(2, { rings: [[[10, 10, 50, 10, 50, 50]]] })])).click(150, 150);

/** Applies the event of another user's deletion of an annotation. */
function deleteElsewhere({ editor }: TestEditor, n = 1): void {
  const change = {
    image_revision: 6,
    subject: "annotation",
    subject_id: uuidOf(n),
    revision: 4,
    action: "delete",
    fields: {},
    edit: null,
    client: "somebody-else",
    user: "bob",
  } as const;
  editor.document.applyRemote([change], 6);
}

async function answer(editor: TestEditor, result = new SquareResult(300, 100, 100)): Promise<void> {
  editor.dextr.last.answer(result);
  await editor.settled();
  await editor.settled();
}

test("a remote deletion while DEXTR computes is reported at once, and only once", async () => {
  for (const result of [new SquareResult(300, 100, 100), new SquareResult(300, 100, 0)]) {
    const editor = onSquare().choose("DEXTR");
    editor.clicks(...OBJECT);
    deleteElsewhere(editor);
    expect(editor.messages).toEqual(KEPT);
    await answer(editor, result);
    expect(editor.messages).toEqual(KEPT);
    expect(editor.annotations).toHaveLength(1);
  }
});

test("a remote deletion while DEXTR computes is reported with another annotation selected", async () => {
  const editor = onSquare().choose("DEXTR");
  editor.clicks(...OBJECT).press("enter");
  editor.editor.selection.selectAnnotation(annotationOf(2));
  deleteElsewhere(editor);
  expect(editor.messages).toEqual(LOST);
  await answer(editor);
  expect(editor.messages).toEqual(LOST);
});

test("a remote deletion under a half-drawn polygon or DEXTR's points is reported", () => {
  for (const tool of ["Polygon", "DEXTR"] as const) {
    const editor = onSquare().choose(tool);
    editor.clicks(OBJECT[0], OBJECT[1], OBJECT[2]);
    deleteElsewhere(editor);
    expect(editor.messages).toEqual(KEPT);
    expect(editor.selected).toBeNull();
    expect(editor.editor.ui.store.getState().isDrawing).toBe(false);
  }
});

test("a remote deletion of an annotation without a drawing in progress is not reported", () => {
  const resting = onSquare().choose("Polygon");
  deleteElsewhere(resting);
  expect(resting.messages).toEqual([]);
  const drawing = onSquare().choose("Polygon").clicks(OBJECT[0], OBJECT[1]);
  deleteElsewhere(drawing, 2);
  expect(drawing.messages).toEqual([]);
});

test("one's own deletion is not reported, even when the server sends it", async () => {
  const editor = onSquare().choose("DEXTR");
  editor.clicks(...OBJECT);
  editor.editor.commands.delete(uuidOf(1));
  deleteElsewhere(editor);
  await answer(editor);
  expect(editor.messages).toEqual([]);
});
