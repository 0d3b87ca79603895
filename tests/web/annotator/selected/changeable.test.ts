import { beforeEach, expect, test, vi } from "vitest";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

const message = ({ editor }: TestEditor) => editor.ui.store.getState().message;

/** An editor with annotations 1 to 3, all selected, of which these are locked. */
function three(...locked: number[]): TestEditor {
  const editor = new TestEditor(sceneOf([1, 2, 3].map((n) => annotationOf(n)))).press("control", "a");
  editor.editor.locks.set(locked.map(uuidOf), true);
  return editor;
}

beforeEach(() => vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined }));

test.each([
  [["delete"]],
  [["f2"]],
  [["shift", "h"]],
  [["shift", "l"]],
  [["shift", "q"]],
  [["control", "]"]],
  [["alt", "["]],
  [["control", "shift", "g"]],
  [["alt", "arrowup"]],
])("%j without a selected annotation says what is missing", (keys) => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).press(...keys);
  expect(message(editor)).toBe("Select an annotation first");
});

test("Ctrl+Shift+A without a category, and Ctrl+A without annotations, say what is missing", () => {
  const editor = new TestEditor(sceneOf()).press("control", "shift", "a");
  expect(message(editor)).toBe("Select a category or an annotation first");
  expect(message(editor.press("control", "a"))).toBe("No annotation is visible and unlocked");
});

test.each([
  [["delete"]],
  [["f2"]],
  [["shift", "q"]],
  [["control", "]"]],
  [["control", "g"]],
  [["control", "shift", "g"]],
  [["control", "x"]],
  [["alt", "arrowup"]],
  [["2"]],
])("%j with locked annotations only says that they are locked", async (keys) => {
  const editor = three(1, 2, 3).press(...keys);
  await editor.settled();
  expect(message(editor)).toBe("Locked. Shift + L unlocks the selected annotations.");
  expect(editor.recorded).toEqual([]);
  expect(editor.editor.ui.store.getState().dialog).toBeNull();
});

test("a change of several annotations is announced with the number of those that are locked", () => {
  const editor = three(2);
  editor.editor.selected.change(() => ({ color: "#0000ff" }), "Change");
  expect(message(editor)).toBe("2 annotations changed, 1 locked");
  expect(editor.recorded).toHaveLength(2);
});

test("cutting copies and deletes the selected annotations that are not locked", async () => {
  const editor = three(2).press("control", "x");
  await editor.settled();
  expect(JSON.parse(editor.clipboard).annotations).toHaveLength(2);
  expect(editor.annotations.map(({ id }) => id)).toEqual([2]);
  expect(message(editor)).toBe("2 annotations cut, 1 locked");
});

test("ungrouping says how many annotations left a group", () => {
  const editor = three().press("control", "g").press("control", "shift", "g");
  expect(message(editor)).toBe("3 annotations ungrouped");
  expect(message(editor.press("control", "shift", "g"))).toBe("The selected annotations are in no group");
});
