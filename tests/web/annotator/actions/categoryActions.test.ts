import { expect, test } from "vitest";
import { stubLocalStorage } from "../stubLocalStorage";
import { annotationOf, at, sceneOf, TestEditor } from "../testEditor";

stubLocalStorage();

const FAR = [[[400, 300, 450, 300, 450, 350, 400, 350]]];
const two = () => new TestEditor(sceneOf([annotationOf(1), annotationOf(2, { rings: FAR })]));
const picker = ({ editor }: TestEditor) => editor.ui.store.getState().picker;
const rightClick = (editor: TestEditor, x: number, y: number) => editor.editor.pointer.menu?.(at(x, y));

test("a key opens the label picker at the pointer, for the selected annotation, or for new ones without a selection", () => {
  const editor = two().move(30, 40).press("q");
  expect(picker(editor)).toEqual({ targets: [], at: { x: 30, y: 40 } });
  editor.click(150, 150).press("q");
  expect(picker(editor)).toEqual({ targets: [editor.selected?.uuid], at: { x: 150, y: 150 } });
});

test("without the pointer over the canvas, the picker opens beside the selected shape", () => {
  const editor = two();
  editor.editor.view.resize({ width: 640, height: 480 });
  editor.editor.view.store.setState({ zoom: 1, x: 0, y: 0 });
  editor.click(150, 150).editor.pointer.leave();
  editor.press("q");
  expect(picker(editor)?.at).toEqual({ x: 200, y: 100 });
});

test("a right click selects the shape under the pointer and opens the picker for it, or for new annotations on the background", () => {
  const editor = two();
  rightClick(editor, 420, 320);
  expect(editor.selected?.id).toBe(2);
  expect(picker(editor)).toMatchObject({ targets: [editor.selected?.uuid] });
  rightClick(editor, 20, 20);
  expect(picker(editor)).toMatchObject({ targets: [] });
});

test("a right click on a shape's name opens the picker for that shape", () => {
  const editor = two();
  editor.editor.categories.pickAt(at(20, 20), editor.annotations[1]?.uuid);
  expect(editor.selected?.id).toBe(2);
  expect(picker(editor)).toMatchObject({ targets: [editor.selected?.uuid] });
});

test("a right click while drawing keeps the drawing and its annotation", () => {
  const editor = two().choose("Polygon").clicks([20, 10], [80, 10]);
  const drawn = editor.selected?.uuid;
  rightClick(editor, 150, 150);
  expect(editor.toolState).toBe("polygon.drawing");
  expect(picker(editor)).toMatchObject({ targets: [drawn] });
});

test("choosing a category changes all targets as one undo step, and makes it the last used category", () => {
  const editor = two();
  const { categories, commands } = editor.editor;
  categories.assign(
    editor.annotations.map(({ uuid }) => uuid),
    2,
  );
  expect(editor.annotations.map(({ category_id }) => category_id)).toEqual([2, 2]);
  expect(editor.editor.ui.store.getState().message).toBe("2 annotations are now in dog");
  expect(commands.lastCategory()?.id).toBe(2);
  editor.press("control", "z");
  expect(editor.annotations.map(({ category_id }) => category_id)).toEqual([1, 1]);
  categories.assign([], 1);
  expect(commands.recentCategories()).toEqual([1, 2]);
  expect(editor.editor.selection.state.category).toBe(1);
});

/** An image without annotations whose first category begins with the line tool. */
const withTool = (tool: unknown) => {
  const scene = sceneOf([]);
  return sceneOf([], {
    categories: scene.categories.map((each, i) => (i === 0 ? { ...each, metadata: { tool } as never } : each)),
  });
};
const toolOf = ({ editor }: TestEditor) => editor.toolbox.tool.name;

test("choosing a category for new annotations, or creating an annotation in it, selects the category's tool", () => {
  const chosen = new TestEditor(withTool("Line")).press("1");
  expect(toolOf(chosen)).toBe("Line");
  const made = new TestEditor(withTool("Ellipse")).choose("Polygon").press(" ");
  expect(toolOf(made)).toBe("Ellipse");
  const needing = new TestEditor(withTool("Brush")).press("1");
  expect([toolOf(needing), needing.selected?.category_id]).toEqual([
    "Brush",
    needing.editor.document.state.numbered[0],
  ]);
});

test("choosing a category keeps the tool if the category has no tool or an unknown one, or while a shape is being drawn", () => {
  for (const tool of [undefined, "Select", "Airbrush", 3]) {
    const editor = new TestEditor(withTool(tool)).choose("Polygon").press("1");
    expect(toolOf(editor)).toBe("Polygon");
  }
  const drawing = new TestEditor(withTool("Line")).choose("Polygon").clicks([100, 100], [200, 100]).press("1");
  expect(toolOf(drawing)).toBe("Polygon");
});

test("after undo, the message about the category is gone, and screen readers hear what was undone", () => {
  const editor = two().click(150, 150).press("2");
  const { store } = editor.editor.ui;
  expect(store.getState()).toMatchObject({ message: "The annotation is now in dog", isOnlyAnnounced: false });
  editor.press("control", "z");
  expect(store.getState()).toMatchObject({ message: "Annotation 1: Category undone", isOnlyAnnounced: true });
});
