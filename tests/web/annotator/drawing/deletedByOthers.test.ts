import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Edit } from "../../../../shared/edits/edit";
import { modification } from "../../../../shared/edits/make";
import type { Annotation } from "../../../../shared/entities/annotation";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

/** Applies the event of a deletion by bob. The annotation has the revision `revision - 1`. */
function deleteElsewhere({ editor }: TestEditor, target: string, revision: number): void {
  const change = {
    image_revision: 6,
    subject: "annotation",
    subject_id: target,
    revision,
    action: "delete",
    fields: {},
    edit: null,
    client: null,
    user: "bob",
  } as const;
  editor.document.applyRemote([change], 6);
}

/** Draws in the first annotation. Returns it as it was before its deletion. */
function drawn({ editor: { document } }: TestEditor): Annotation {
  const square = document.annotation(uuidOf(1));
  const edit = square && modification(randomUUID(), square, { rings: [[[300, 100, 350, 100, 350, 150]]] });
  if (!edit) throw new Error("nothing was drawn");
  document.apply([edit], "local");
  return document.annotation(uuidOf(1)) ?? square;
}

const onSquare = () => new TestEditor(sceneOf([annotationOf(1), annotationOf(2)])).click(150, 150);

test("another user's deletion of an annotation drawn here is reported with the user's name and a button to restore it", () => {
  const editor = onSquare();
  const before = drawn(editor);
  deleteElsewhere(editor, uuidOf(1), before.revision + 1);
  expect(editor.toastTitles).toEqual(["Annotation deleted"]);
  expect(editor.messages).toEqual(["info: bob deleted the annotation that you worked on here."]);
  expect(editor.editor.document.annotation(uuidOf(1))).toBeNull();

  const made: Edit[] = [];
  editor.editor.document.listen(({ edits }) => void made.push(...edits));
  editor.actions.at(-1)?.onClick();
  expect(editor.editor.document.annotation(uuidOf(1))).toMatchObject({ rings: before.rings });
  expect(made).toMatchObject([{ action: "create", target: uuidOf(1), base: before.revision + 1 }]);
  editor.editor.history.undo();
  expect(editor.editor.document.annotation(uuidOf(1))).toBeNull();
});

test("a remote deletion of an annotation that was not drawn here, or was also deleted here, is not reported", () => {
  const editor = onSquare();
  const { revision } = drawn(editor);
  deleteElsewhere(editor, uuidOf(2), 4);
  editor.editor.commands.delete(uuidOf(1));
  deleteElsewhere(editor, uuidOf(1), revision + 1);
  expect(editor.messages).toEqual([]);
});

test("an annotation missing after a reload is reported without a name", () => {
  const editor = onSquare();
  drawn(editor);
  editor.editor.document.clearPendingEdits(() => false);
  editor.editor.document.replace(sceneOf([annotationOf(2)]));
  expect(editor.messages).toEqual(["info: Another user deleted the annotation that you worked on here."]);
});

test("a polygon that is drawn in an annotation goes on when the annotation is restored, with one message", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  const { revision } = drawn(editor);
  editor.choose("Polygon").clicks([20, 10], [80, 10], [80, 60]);
  deleteElsewhere(editor, uuidOf(1), revision + 1);
  expect(editor.toolState).toBe("select.idle");
  expect(editor.messages).toEqual([
    "info: Another user deleted the annotation that you were drawing. Restore it to continue your drawing.",
  ]);

  editor.actions.at(-1)?.onClick();
  expect(editor.toolState).toBe("polygon.drawing");
  expect(editor.sketch).toMatchObject({ annotation: uuidOf(1), ring: [20, 10, 80, 10, 80, 60] });
});

test("restoring an annotation does not disturb another drawing that was begun since", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  const { revision } = drawn(editor);
  editor.choose("Polygon").clicks([20, 10], [80, 10], [80, 60]);
  deleteElsewhere(editor, uuidOf(1), revision + 1);
  editor.choose("Polygon").clicks([300, 10], [380, 10]);
  editor.actions.at(-1)?.onClick();
  expect(editor.editor.document.annotation(uuidOf(1))).not.toBeNull();
  expect(editor.sketch?.ring).toEqual([300, 10, 380, 10]);
});
