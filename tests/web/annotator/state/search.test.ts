import { beforeEach, expect, test } from "vitest";
import { matchesSearch, searchable } from "../../../../web/annotator/state/search";
import { isFound, type Row, rowsOf } from "../../../../web/annotator/tree/rows";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

let desk: TestEditor;

function rows(): Row[] {
  const { document, layers, search, selection } = desk.editor;
  return rowsOf(document.state, layers.state, search.state, selection.state);
}

/** Returns the rows as shown. */
function lines(): string[] {
  return rows().map((row) => {
    if (row.kind === "annotation") return `${row.number} #${row.annotation.id}`;
    return row.kind === "category" ? row.category.name : row.kind;
  });
}

const found = () => rows().filter((row) => isFound(row, desk.editor.document.state, desk.editor.search.state)).length;

beforeEach(() => {
  const named = [
    annotationOf(30, { metadata: { name: "Left Horn" } }),
    annotationOf(31),
    annotationOf(2, { metadata: { name: "horn" } }),
    annotationOf(33, { metadata: { name: 31 } }),
  ];
  desk = new TestEditor(sceneOf([...named, annotationOf(77, { category_id: 2, metadata: { name: "Hornet" } })]));
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
  expect(matchesSearch(annotation, null, "null")).toBe(false);
});

test("the search field is shown with two annotations or more than five categories", () => {
  const { state } = desk.editor.document;
  const six = Array.from({ length: 6 }, (_, id) => ({ id }));
  expect(searchable(state, "segment")).toBe("annotations");
  expect(searchable(state, "label")).toBeNull();
  expect(searchable({ ...state, annotations: new Map() }, "segment")).toBeNull();
  expect(searchable({ ...state, categories: six }, "segment")).toBe("categories and annotations");
  expect(searchable({ categories: six, annotations: new Map() }, "segment")).toBe("categories");
  expect(searchable({ ...state, categories: six }, "label")).toBe("categories");
});

test("numbers stay unchanged during a search", () => {
  desk.editor.search.find("2");
  expect(lines()).toEqual(["cat", "2 #30", "1 #2"]);
  desk.editor.search.find("HORN ");
  expect(lines()).toEqual(["cat", "2 #30", "1 #2", "dog", "5 #77"]);
});

test("annotations of all categories are found, even of collapsed ones, by id and name but not by hidden numbers", () => {
  desk.editor.search.find("77");
  expect(lines()).toEqual(["dog", "5 #77"]);
  desk.editor.search.find("hornet");
  expect(lines()).toEqual(["dog", "5 #77"]);
  desk.editor.search.find("1");
  expect(lines()).toEqual(["cat", "1 #2"]);
});

test("categories are found by name, with their usual rows", () => {
  desk.editor.search.find("CA");
  expect(lines()).toEqual(["cat", "2 #30", "3 #31", "1 #2", "4 #33"]);
  desk.editor.search.find("dog");
  expect(lines()).toEqual(["dog"]);
});

test("a search without a result finds nothing, and shows only the selected annotation", () => {
  desk.editor.search.find("nothing");
  expect(lines()).toEqual([]);
  expect(found()).toBe(0);
  desk.editor.search.find("");
  desk.click(150, 150);
  const selected = desk.selected;
  desk.editor.search.find("nothing");
  expect(lines()).toEqual([selected?.category_id === 1 ? "cat" : "dog", expect.stringContaining(`#${selected?.id}`)]);
  expect(found()).toBe(0);
});

test("arrow keys move through the results", () => {
  desk.editor.search.find("horn");
  const walked: (number | null | undefined)[] = [];
  for (let i = 0; i < 5; i++) walked.push(desk.press("arrowdown").selected?.id);
  expect(walked).toEqual([undefined, 30, 2, undefined, 77]);
});

test("a key focuses the search field, if there is one", () => {
  desk.press("/");
  expect(desk.editor.search.state.isFocusRequested).toBe(true);
  const bare = new TestEditor(sceneOf([annotationOf(1)])).press("/");
  expect(bare.editor.search.state.isFocusRequested).toBe(false);
});

test("Enter selects the first result, or keeps the selection if it is a result, and ends the search", () => {
  const { search, navigation, layers, selection } = desk.editor;
  search.find("horn");
  selection.selectAnnotation(desk.annotations[1]!);
  expect(navigation.selectFound()).toBe(true);
  expect(desk.selected?.id).toBe(30);
  expect(search.state.text).toBe("");
  search.find("horn");
  desk.press("arrowdown");
  navigation.selectFound();
  expect(desk.selected?.id).toBe(2);
  search.find("hornet");
  navigation.selectFound();
  expect(desk.selected?.id).toBe(77);
  expect(layers.state.expanded.has(2)).toBe(true);
  search.find("nothing");
  expect(navigation.selectFound()).toBe(false);
  expect(desk.selected?.id).toBe(77);
  expect(search.state.text).toBe("nothing");
});
