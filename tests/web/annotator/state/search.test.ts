import { beforeEach, expect, test } from "vitest";
import { matchesSearch } from "../../../../web/annotator/state/search";
import { rowsOf } from "../../../../web/annotator/tree/rows";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

let desk: TestEditor;

/** Returns the rows as shown. */
function lines(): string[] {
  const { document, layers, search, selection } = desk.editor;
  return rowsOf(document.state, layers.state, search.state, selection.state.annotation).map((row) => {
    if (row.kind === "annotation") return `${row.number} #${row.annotation.id}`;
    return row.kind === "category" ? row.category.name : row.kind;
  });
}

beforeEach(() => {
  const named = [
    annotationOf(30, { metadata: { name: "Left Horn" } }),
    annotationOf(31),
    annotationOf(2, { metadata: { name: "horn" } }),
    annotationOf(33, { metadata: { name: 31 } }),
  ];
  desk = new TestEditor(sceneOf(named));
  desk.editor.layers.expand(1, true);
});

test("an annotation is found by its exact id, its exact number, or a part of its name, ignoring case", () => {
  const annotation = annotationOf(123, { metadata: { name: "Straße 9" } });
  for (const text of ["123", " 123 ", "4", "straße", "STRASS".slice(0, 4), "e 9", ""]) {
    expect([text, matchesSearch(annotation, 4, text)]).toEqual([text, true]);
  }
  for (const text of ["12", "1234", "23", "44", "0x7b", "horn"]) {
    expect([text, matchesSearch(annotation, 4, text)]).toEqual([text, false]);
  }
  expect(matchesSearch(annotationOf(1, { id: null }), 7, "null")).toBe(false);
});

test("the search field is shown in an expanded category with two annotations or more", () => {
  expect(lines()).toEqual(["cat", "search", "1 #30", "2 #31", "3 #2", "4 #33", "dog"]);
  desk.editor.layers.expand(2, true);
  expect(lines().at(-1)).toBe("dog");
  desk.editor.layers.expand(1, false);
  expect(lines()).toEqual(["cat", "dog"]);
});

test("numbers stay unchanged during a search", () => {
  desk.editor.search.findAnnotations(1, "2");
  expect(lines()).toEqual(["cat", "search", "2 #31", "3 #2", "dog"]);
  desk.editor.search.findAnnotations(1, "HORN");
  expect(lines()).toEqual(["cat", "search", "1 #30", "3 #2", "dog"]);
  desk.editor.search.findAnnotations(1, "nothing");
  expect(lines()).toEqual(["cat", "search", "dog"]);
});

test("arrows move through the results", () => {
  desk.editor.search.findAnnotations(1, "horn");
  const walked: (number | null | undefined)[] = [];
  for (let i = 0; i < 5; i++) walked.push(desk.press("arrowdown").selected?.id);
  expect(walked).toEqual([undefined, 30, 2, undefined, undefined]);
});

test("the selected annotation is always among the rows", () => {
  desk.click(150, 150);
  const inHand = desk.selected?.id;
  desk.editor.search.findAnnotations(1, "nothing");
  expect(lines()).toEqual(["cat", "search", expect.stringContaining(`#${inHand}`), "dog"]);
});

test("a cleared search ends", () => {
  desk.editor.search.findAnnotations(1, "x");
  desk.editor.search.findAnnotations(1, "");
  expect(lines()).toHaveLength(7);
  expect(desk.editor.search.state.annotations.size).toBe(0);
});

test("a key focuses the search field of the selected category, and expands it", () => {
  desk.editor.layers.expand(1, false);
  desk.editor.selection.selectCategory(1);
  desk.press("/");
  expect(desk.editor.search.state.focus).toBe(1);
  expect(desk.editor.layers.state.expanded.has(1)).toBe(true);
  desk.editor.search.requestFocus(null);
  desk.editor.selection.selectCategory(2);
  desk.press("/");
  expect(desk.editor.search.state.focus).toBeNull();
});

test("Enter selects the first result, or keeps the selection if it is a result", () => {
  const { search, navigation } = desk.editor;
  search.findAnnotations(1, "horn");
  desk.editor.selection.selectAnnotation(desk.annotations[1]!);
  navigation.selectFound(1);
  expect(desk.selected?.id).toBe(30);
  desk.press("arrowdown");
  navigation.selectFound(1);
  expect(desk.selected?.id).not.toBe(30);
  search.findAnnotations(1, "nothing");
  const before = desk.selected;
  navigation.selectFound(1);
  expect(desk.selected).toBe(before);
});
