import { expect, test } from "vitest";
import { stubLocalStorage } from "../stubLocalStorage";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

stubLocalStorage();

const messageOf = (editor: TestEditor) => editor.editor.ui.store.getState().message;

test("a digit without a selected annotation makes the category current, with a message", () => {
  const editor = new TestEditor();
  editor.press("2");
  expect(editor.editor.selection.state).toMatchObject({ category: 2, annotation: null });
  expect(messageOf(editor)).toBe("New annotations go to dog");
  editor.press(" ");
  expect(editor.selected?.category_id).toBe(2);
});

test("a digit moves the selected annotation to the category in one undo step, with a message", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.editor.selection.selectAnnotation(annotationOf(1));
  editor.press("2");
  expect(editor.selected?.category_id).toBe(2);
  expect(editor.editor.selection.state.category).toBe(2);
  expect(editor.editor.layers.state.expanded.has(2)).toBe(true);
  expect(messageOf(editor)).toBe("The annotation is now in dog");
  expect(editor.recorded).toHaveLength(1);
  editor.press("control", "z");
  expect(editor.selected?.category_id).toBe(1);
  expect(editor.editor.selection.state.category).toBe(1);
  expect(editor.editor.history.store.getState().undo).toBeNull();
});

/** The dataset lists cat, dog and hen; ant is older, and only this image uses it. */
function sceneWith(used: readonly string[]) {
  const { categories, dataset } = sceneOf();
  const named = (id: number, name: string) => ({
    ...categories[0]!,
    ...{ id, name },
    annotations: used.includes(name) ? [annotationOf(id, { category_id: id })] : [],
  });
  return sceneOf([], {
    categories: [named(4, "ant"), named(5, "cat"), named(6, "dog"), named(7, "hen")],
    dataset: { ...dataset, categories: [5, 6, 7] },
  });
}

test("a digit stands for the same category on every image, and the list starts with the image's categories", () => {
  for (const used of [[], ["hen"], ["ant", "dog"]]) {
    const editor = new TestEditor(sceneWith(used));
    const { categories } = editor.editor.document.state;
    expect(categories.slice(0, used.length).map(({ name }) => name)).toEqual(used);
    const chosen = ["1", "2", "3", "4"].map((digit) => {
      editor.press(digit);
      return editor.editor.document.category(editor.editor.selection.state.category)?.name;
    });
    expect(chosen).toEqual(["cat", "dog", "hen", "ant"]);
  }
});

test("a created category gets the dataset's next number, and keeps it after a reload", () => {
  const scene = sceneWith(["ant"]);
  const { document } = new TestEditor(scene).editor;
  const { annotations: _, ...owl } = { ...scene.categories[0]!, id: 8, name: "owl" };
  document.putCategory(owl);
  expect(document.state.numbered).toEqual([5, 6, 7, 8, 4]);
  document.replace({
    ...scene,
    categories: [...scene.categories, { ...owl, annotations: [] }],
    dataset: { ...scene.dataset, categories: [5, 6, 7, 8] },
  });
  expect(document.state.numbered).toEqual([5, 6, 7, 8, 4]);
});

test("a digit for the category that the annotation already has makes no undo step", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.editor.selection.selectAnnotation(annotationOf(1));
  editor.press("1");
  expect(editor.recorded).toEqual([]);
});

test("a digit that has no category shows a message and does nothing", () => {
  const editor = new TestEditor();
  editor.press("9");
  expect(messageOf(editor)).toBe("There is no category 9");
  editor.press("0");
  expect(messageOf(editor)).toBe("There is no category 10");
  expect(editor.editor.selection.state.category).toBeNull();
});

test("an unused annotation made by a tool can be moved to another category, and is still removed", async () => {
  const editor = new TestEditor();
  editor.choose("Polygon").press("2");
  expect(editor.selected?.category_id).toBe(2);
  expect(editor.editor.toolbox.tool.name).toBe("Polygon");
  editor.press("escape");
  await editor.settled();
  expect(editor.annotations).toEqual([]);
  expect(editor.editor.history.store.getState()).toEqual({ undo: null, redo: null });
});

test("an unused annotation made by a tool is removed when the image is left", async () => {
  const editor = new TestEditor();
  editor.choose("Polygon");
  editor.editor.leave();
  await editor.settled();
  expect(editor.annotations).toEqual([]);
});

test("a full stop creates an annotation with the category and tool of the last created annotation", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.press("2").choose("BBox").drag([10, 10], [50, 50]);
  expect(editor.selected?.category_id).toBe(2);
  editor.choose("Select");
  editor.editor.selection.selectAnnotation(annotationOf(1));
  editor.press(".");
  expect(editor.selected).toMatchObject({ category_id: 2, rings: [] });
  expect(editor.editor.toolbox.tool.name).toBe("BBox");
});

test('"next without annotations" opens the image named in the scene, or shows a message', () => {
  const editor = new TestEditor();
  editor.press("shift", "n");
  expect(editor.wentTo).toEqual([9]);
  const scene = sceneOf();
  const last = new TestEditor({ ...scene, image: { ...scene.image, next: null, next_not_annotated: null } });
  last.press("shift", "n");
  expect(messageOf(last)).toBe("All later images in the list are annotated");
  last.press("n");
  expect(messageOf(last)).toBe("This is the last image of the list");
  expect(last.wentTo).toEqual([]);
});

test("changed keys take effect at once, and are stored", () => {
  const editor = new TestEditor();
  editor.editor.settings.changeShortcuts({ next: [["x"]] });
  editor.press("n").press("x");
  expect(editor.wentTo).toEqual([8]);
  expect(editor.preferences.at(-1)).toEqual({ "shortcuts/next": [["x"]] });
});
