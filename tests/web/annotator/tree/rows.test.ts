import { expect, test } from "vitest";
import { rowsOf } from "../../../../web/annotator/tree/rows";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

/** An image with `used` categories that have an annotation each, and others without. */
function editorWith(used: number, others: number): TestEditor {
  const scene = sceneOf();
  const categories = Array.from({ length: used + others }, (_, index) => ({
    ...scene.categories[0]!,
    id: index + 1,
    name: `c${index + 1}`,
    annotations: index < used ? [annotationOf(index + 1, { category_id: index + 1 })] : [],
  }));
  const dataset = { ...scene.dataset, categories: categories.map(({ id }) => id) };
  return new TestEditor({ ...scene, dataset, categories });
}

function shown({ editor }: TestEditor): string[] {
  const { document, layers, search, selection } = editor;
  return rowsOf(document.state, layers.state, search.state, selection.state).map((row) =>
    row.kind === "category" ? row.category.name : row.kind === "others" ? `others ${row.count}` : row.kind,
  );
}

test("many categories without annotations on the image are under a heading, which lists them when it is open", () => {
  const editor = editorWith(2, 10);
  expect(shown(editor)).toEqual(["c1", "c2", "others 10"]);
  editor.editor.layers.listOthers(true);
  expect(shown(editor)).toHaveLength(13);
  expect(shown(editor).slice(0, 4)).toEqual(["c1", "c2", "others 10", "c3"]);
});

test("few categories without annotations, and all categories of an image without annotations, are listed without a heading", () => {
  expect(shown(editorWith(2, 8))).not.toContain("others 8");
  expect(shown(editorWith(0, 12))).toHaveLength(12);
});

test("the selected category and search results are always listed, and arrow keys skip the heading", () => {
  const editor = editorWith(2, 10);
  editor.press("5");
  expect(shown(editor)).toEqual(["c1", "c2", "c5", "others 9"]);
  editor.press("arrowdown");
  expect(editor.editor.selection.state.category).toBe(1);
  editor.press("escape");
  editor.editor.search.find("c12");
  expect(shown(editor)).toEqual(["c12"]);
});
