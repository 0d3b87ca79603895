import { expect, test } from "vitest";
import { categoryChoices, newCategoryName } from "../../../../web/annotator/tree/categoryChoices";
import { annotationsFor, inOrder, ranked } from "../../../../web/annotator/tree/paletteItems";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

const NAMES = ["zebra crossing", "crossing", "car", "race car", "scar", "cart"];

function documentOf() {
  const [first] = sceneOf().categories;
  const categories = NAMES.map((name, index) => ({ ...first!, id: index + 1, name, annotations: [] }));
  return new TestEditor({ ...sceneOf(), categories }).editor.document.state;
}
const names = (text: string, recent: number[] = []) =>
  categoryChoices(documentOf(), recent, text).map(({ name }) => name);

test("recently used categories come first, then the others in the order of their digits", () => {
  expect(names("", [4, 99, 2])).toEqual(["race car", "crossing", "zebra crossing", "car", "scar", "cart"]);
});

test("the exact name comes first, then names that begin with the text, then names with a word that does, then the rest", () => {
  expect(names(" CAR ")).toEqual(["car", "cart", "race car", "scar"]);
  expect(names("cross", [1])).toEqual(["crossing", "zebra crossing"]);
  expect(names("boat")).toEqual([]);
});

test("a new name can be created, but not one that differs from an existing name only in case", () => {
  expect(newCategoryName(documentOf(), " Boat ")).toBe("Boat");
  expect(newCategoryName(documentOf(), "CAR")).toBeNull();
  expect(newCategoryName(documentOf(), " ")).toBeNull();
});

test("the palette finds entries by any words of their texts, the best match first", () => {
  const found = ranked(["Zoom In", "Zoom to 100%", "In"], (name) => [name, "View"], "in view");
  expect(found.map(({ item }) => item)).toEqual(["Zoom In", "In"]);
  expect(ranked(["Zoë"], (name) => [name, "Straße"], "strasse zoe").map(({ item }) => item)).toEqual(["Zoë"]);
  expect(ranked(["Zoom In", "In"], (name) => [name], "in").map(({ item }) => item)).toEqual(["In", "Zoom In"]);
});

test("the palette finds annotations by id and by name, with their numbers in the category", () => {
  const scene = sceneOf([annotationOf(31), annotationOf(32, { metadata: { name: "left 31" } })]);
  const { state } = new TestEditor(scene).editor.document;
  const found = annotationsFor(state, "31").map(({ item }) => [item.annotation.id, item.title]);
  expect(found).toEqual([
    [31, "1"],
    [32, "left 31"],
  ]);
  expect(annotationsFor(state, "")).toEqual([]);
});

test("the group with the best entry comes first", () => {
  const groups = [
    [{ item: "a", rank: 3 }],
    [],
    [
      { item: "b", rank: 0 },
      { item: "c", rank: 4 },
    ],
  ];
  expect(inOrder(groups)).toEqual(["b", "c", "a"]);
});
