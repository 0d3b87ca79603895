import { expect, test } from "vitest";
import type { Change, EditAnswer } from "../../../../shared/edits/edit";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

/** Changes of another user that edits hide until the server answers these. The annotation has revision 3 at first. */

const theirs = (revision: number, color: string): Change => ({
  ...{ image_revision: 2 + revision, subject: "annotation", subject_id: uuidOf(1), revision, action: "modify" },
  ...{ fields: { color }, edit: uuidOf(90 + revision), client: "other", user: "bob" },
});

/** An editor whose user has set some colours, which are not stored. */
function colored(...colors: string[]) {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  const { document, commands } = editor.editor;
  for (const color of colors) commands.modify(uuidOf(1), { color }, "Change");
  /** Acknowledges an edit that changed nothing, because the annotation had this value already. */
  const acknowledge = (index: number, revision: number) => {
    const { uuid } = editor.recorded[index]!;
    const answer: EditAnswer = { uuid, status: "applied", id: 1, revision };
    return document.acknowledge([answer]);
  };
  return { document, acknowledge };
}

test("an annotation is reloaded if an edit hid changes and changed nothing itself, since no change arrives again", () => {
  const { document, acknowledge } = colored("#0000ff");
  document.applyRemote([theirs(4, "#00ff00"), theirs(5, "#0000ff")], 7);
  expect(document.annotation(uuidOf(1))).toMatchObject({ color: "#0000ff", revision: 3 });
  expect(acknowledge(0, 5)).toBe("outdated");
  document.replace(sceneOf([annotationOf(1, { color: "#0000ff", revision: 5 })]));
  expect(document.annotation(uuidOf(1))).toMatchObject({ color: "#0000ff", revision: 5 });
});

test("an annotation with hidden changes is reloaded when its last edit is answered, not before", () => {
  const { document, acknowledge } = colored("#0000ff", "#00ff00");
  document.applyRemote([theirs(4, "#ff0000"), theirs(5, "#0000ff")], 7);
  expect(acknowledge(0, 5)).not.toBe("outdated");
  expect(acknowledge(1, 6)).toBe("outdated");
});

test("an annotation whose only hidden change had the same value is not reloaded", () => {
  const { document, acknowledge } = colored("#0000ff");
  document.applyRemote([theirs(4, "#0000ff")], 6);
  expect(acknowledge(0, 4)).toBe("complete");
  expect(document.annotation(uuidOf(1))).toMatchObject({ color: "#0000ff", revision: 4 });
});

test("a scene whose values an edit hides is loaded again after the edit is answered", () => {
  const { document, acknowledge } = colored("#0000ff");
  document.replace(sceneOf([annotationOf(1, { color: "#00ff00", revision: 4 })]));
  expect(document.annotation(uuidOf(1))).toMatchObject({ color: "#0000ff", revision: 3 });
  expect(acknowledge(0, 6)).toBe("outdated");
});
