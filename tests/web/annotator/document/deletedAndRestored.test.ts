import { expect, test } from "vitest";
import type { Change, Edit, EditAnswer } from "../../../../shared/edits/edit";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

/** An annotation that its user deletes and restores, while responses and changes arrive late and in any order. */

/** An editor with the annotation 1, stored in revision 3, whose deletion and restoration are recorded. */
function restoredOnce() {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.editor.selecting.select([uuidOf(1)]);
  editor.press("delete").press("control", "z");
  const [deletion, restoration] = editor.recorded;
  return { editor, document: editor.editor.document, deletion: deletion!, restoration: restoration! };
}

/** The change that the server stored for an edit. */
function stored({ uuid, action, subject, ...edit }: Edit, revision: number): Change {
  const fields = (action === "delete" ? {} : edit.after) as Change["fields"];
  const place = { image_revision: 2 + revision, subject, subject_id: uuidOf(1) };
  return { ...place, revision, action, fields, edit: uuid, client: "own", user: "ada" };
}

const answer = ({ uuid }: Edit, revision: number, more: Partial<EditAnswer> = {}): EditAnswer => ({
  ...{ uuid, status: "applied", id: 1, revision, image_revision: 2 + revision, ...more },
});

test("stays deleted when its restoration arrives as a change after it was deleted again", () => {
  const { editor, document, deletion, restoration } = restoredOnce();
  document.acknowledge([answer(deletion, 4)]);
  editor.press("control", "y");
  expect(editor.annotations).toEqual([]);
  document.applyRemote([stored(deletion, 4), stored(restoration, 5)], 7);
  expect(editor.annotations).toEqual([]);
  document.acknowledge([answer(editor.recorded[2]!, 6)]);
  document.applyRemote([stored(editor.recorded[2]!, 6)], 8);
  expect(editor.annotations).toEqual([]);
});

test("stays deleted when its second deletion arrives before the response to its restoration", () => {
  const { editor, document, deletion, restoration } = restoredOnce();
  document.acknowledge([answer(deletion, 4)]);
  editor.press("control", "y");
  document.applyRemote([stored(editor.recorded[2]!, 6)], 8);
  expect(editor.annotations).toEqual([]);
  document.acknowledge([answer(restoration, 5, { status: "seen" })]);
  expect(editor.annotations).toEqual([]);
});

test("stays deleted when all changes arrive after their responses", () => {
  const { editor, document, deletion, restoration } = restoredOnce();
  editor.press("control", "y");
  const edits = [deletion, restoration, editor.recorded[2]!];
  document.acknowledge(edits.map((edit, i) => answer(edit, 4 + i)));
  document.applyRemote(
    edits.map((edit, i) => stored(edit, 4 + i)),
    8,
  );
  expect(editor.annotations).toEqual([]);
});

test("stays when another user's deletion arrives after it was deleted and restored, and before it was changed", () => {
  const { editor, document, deletion, restoration } = restoredOnce();
  editor.editor.commands.rename(uuidOf(1), "tom");
  const theirs = { ...stored(deletion, 4), edit: uuidOf(99), client: "other", user: "bob" };
  document.applyRemote([theirs], 6);
  expect(editor.annotations).toMatchObject([{ metadata: { name: "tom" }, revision: 4 }]);
  document.acknowledge([answer(deletion, 4), answer(restoration, 5)]);
  expect(editor.annotations).toMatchObject([{ metadata: { name: "tom" }, revision: 5 }]);
});

test("goes when another user deletes it while it is being changed", () => {
  const { editor, document, deletion, restoration } = restoredOnce();
  document.acknowledge([answer(deletion, 4), answer(restoration, 5)]);
  editor.editor.commands.rename(uuidOf(1), "tom");
  document.applyRemote([{ ...stored(deletion, 6), edit: uuidOf(99), client: "other", user: "bob" }], 8);
  expect(editor.annotations).toEqual([]);
});

test("stays deleted when the response to its restoration arrives while a newer scene is loading", () => {
  const { editor, document, deletion, restoration } = restoredOnce();
  document.acknowledge([answer(deletion, 4)]);
  document.expectReplacement();
  document.acknowledge([answer(restoration, 5)]);
  const { image } = sceneOf();
  document.replace(sceneOf([], { image: { ...image, revision: 9 } }));
  expect(editor.annotations).toEqual([]);
});

test("an edit that was stored before the loaded scene, and changed by others in it, makes the image outdated", () => {
  const { image } = sceneOf();
  const edit: Edit = {
    ...{ uuid: uuidOf(90), image_id: 7, base: 5, subject: "image", action: "modify" },
    ...{ before: { done: false }, after: { done: true } },
  };
  const scene = sceneOf([], { image: { ...image, revision: 9 } });
  const { document } = new TestEditor(scene, [edit]).editor;
  expect(document.state.image.done).toBe(true);
  const seen = { uuid: edit.uuid, status: "seen" as const, revision: 6, image_revision: 6 };
  expect(document.acknowledge([seen])).toBe("outdated");
});

test("an annotation that is restored from the journal is based on the newest base of its pending edits", () => {
  const { editor } = restoredOnce();
  const [deletion, restoration] = editor.recorded;
  for (const base of [3, 5]) {
    // The base of an edit that was sent has been raised.
    const pending = [{ ...deletion!, base }, restoration!];
    const { document } = new TestEditor(sceneOf(), pending).editor;
    expect(document.annotation(uuidOf(1))).toMatchObject({ revision: base });
  }
});
