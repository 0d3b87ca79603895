import { expect, test } from "vitest";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

/** Edits of the open image that the server refuses: the user sees its reason, not that others deleted something. */

const REFUSED = { status: "refused", reason: "This category was deleted.", code: "not_found" } as const;

/** An editor whose user has drawn two boxes. */
function drawn() {
  const editor = new TestEditor(sceneOf([annotationOf(9)])).choose("BBox");
  for (const x of [20, 300]) editor.drag([x, 10], [x + 60, 60]).press("space");
  const creations = editor.recorded.filter(({ action }) => action === "create");
  expect(creations).toHaveLength(2);
  return { editor, creations };
}

test("several edits that are refused for one reason are notified once, and not as deleted by another user", async () => {
  const { editor, creations } = drawn();
  for (const edit of creations) editor.respond(edit, REFUSED);
  editor.respond({ ...creations[0]!, uuid: uuidOf(70), action: "modify" }, { ...REFUSED, revision: 0 });
  await editor.settled();
  editor.editor.document.replace(sceneOf([annotationOf(9)]));
  expect(editor.toastTitles).toEqual(["Not stored"]);
  expect(editor.messages).toEqual(["error: This category was deleted. Your change is kept among the conflicts."]);
});

test("an annotation that the server has lost, or that was stored after a refusal, is notified as deleted", async () => {
  const { editor, creations } = drawn();
  const [lost, stored] = [creations[0]!, creations[1]!];
  editor.respond(lost, { ...REFUSED, revision: 0 });
  editor.respond(stored, REFUSED);
  await editor.settled();
  editor.respond(stored, { status: "applied", id: 4, revision: 1 });
  await editor.settled();
  editor.editor.document.replace(sceneOf([annotationOf(9)]));
  expect(editor.toastTitles).toEqual(["Not stored", "Annotation deleted"]);
  expect(editor.messages.at(-1)).toBe("info: Another user deleted 2 annotations that you worked on here.");
});

test("refused edits of another image are not notified here", async () => {
  const { editor, creations } = drawn();
  editor.respond({ ...creations[0]!, image_id: 8, uuid: uuidOf(70) }, REFUSED);
  await editor.settled();
  expect(editor.messages).toEqual([]);
});

test("a polygon that is drawn in a refused annotation can be continued", async () => {
  for (const [key, titles] of [
    ["Polygon", ["Not stored", "Not stored"]],
    ["Select", ["Not stored"]],
  ] as const) {
    const { editor, creations } = drawn();
    const target = creations[1]!;
    editor.editor.selecting.select(target.subject === "annotation" ? [target.target] : []);
    if (key === "Polygon") editor.choose("Polygon").clicks([20, 80], [80, 80], [80, 120]);
    editor.respond(target, REFUSED);
    await editor.settled();
    editor.editor.document.replace(sceneOf([annotationOf(9)]));
    expect(editor.toastTitles).toEqual(titles);
  }
});
