import { expect, test } from "vitest";
import { stubLocalStorage } from "./stubLocalStorage";
import { annotationOf, SQUARE, sceneOf, TestEditor, uuidOf } from "./testEditor";

const READ_ONLY = "You can look at this dataset but not change it.";

stubLocalStorage();

/** Returns a scene with one square, as an annotator or a viewer gets it. */
function scene(edit: boolean) {
  const whole = sceneOf([annotationOf(1, { rings: [[SQUARE]] })]);
  return { ...whole, permissions: { ...whole.permissions, dataset: { ...whole.permissions.dataset, edit } } };
}

const toolOf = ({ editor }: TestEditor) => editor.toolbox.tool.name;

test("a viewer selects shapes, and neither tools nor keys nor drags change anything", () => {
  const editor = new TestEditor(scene(false)).click(150, 150);
  expect(editor.selected?.id).toBe(1);
  editor.drag([150, 150], [300, 300]).drag([100, 100], [50, 50]);
  for (const keys of [
    ["delete"],
    [" "],
    ["b"],
    ["shift", "d"],
    ["control", "]"],
    ["1"],
    ["control", "z"],
    ["control", "v"],
  ])
    editor.press(...keys);
  editor.choose("Polygon");
  editor.editor.creating.newAnnotation();
  editor.editor.commands.delete(uuidOf(1));
  expect(toolOf(editor)).toBe("Select");
  expect(editor.annotations.map(({ rings }) => rings)).toEqual([[[SQUARE]]]);
  expect(editor.recorded).toEqual([]);
  expect(editor.editor.ui.store.getState().message).toBe(READ_ONLY);
  expect(editor.editor.ui.store.getState().dialog).toBeNull();
});

test("a viewer ticks no labels", () => {
  const editor = new TestEditor(scene(false));
  editor.editor.labels.toggle(2);
  expect(editor.recorded).toEqual([]);
  expect(editor.editor.ui.store.getState().message).toBe(READ_ONLY);
});

test("an annotation that is empty stays when a viewer deselects it, without a message", () => {
  const shown = scene(false);
  const empty = {
    ...shown,
    categories: shown.categories.map((each) => ({
      ...each,
      annotations: [annotationOf(1, { rings: [] })].filter(() => each.id === 1),
    })),
  };
  const editor = new TestEditor(empty);
  editor.editor.selection.selectAnnotation(editor.annotations[0] ?? null);
  editor.editor.selection.selectAnnotation(null);
  expect(editor.annotations).toHaveLength(1);
  expect(editor.editor.ui.store.getState().message).toBe("");
});

test("a page becomes read-only and editable again as the role changes, and keeps the unfinished outline", async () => {
  const editor = new TestEditor(scene(true)).choose("Polygon").click(10, 10).click(60, 10).click(60, 60);
  expect(editor.sketch?.ring).toHaveLength(6);
  const { document } = editor.editor;
  document.replace(scene(false));
  await Promise.resolve();
  expect([toolOf(editor), editor.messages.at(-1)]).toEqual(["Select", `info: ${READ_ONLY}`]);
  expect(editor.sketch?.ring).toHaveLength(6);
  document.replace(scene(true));
  await Promise.resolve();
  expect([toolOf(editor), editor.messages.at(-1)]).toEqual(["Polygon", "info: You can change this dataset now."]);
  editor.press("enter");
  await editor.editor.settled();
  expect(editor.recorded.some(({ action }) => action === "create")).toBe(true);
});

test("edits made before the role changed cannot be undone by a viewer", async () => {
  const editor = new TestEditor(scene(true)).click(150, 150).press("delete");
  expect(editor.annotations).toEqual([]);
  editor.editor.document.replace(scene(false));
  const recorded = editor.recorded.length;
  editor.editor.undoing.undo();
  await editor.editor.settled();
  expect(editor.recorded).toHaveLength(recorded);
});
