import { expect, test } from "vitest";
import { shadeOf } from "../../../../shared/color/shade";
import { NO_VALUE } from "../../../../web/annotator/colors/attributeColors";
import { stubLocalStorage } from "../stubLocalStorage";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

stubLocalStorage();

const twoColors = () => sceneOf([annotationOf(1, { color: "#123456" }), annotationOf(2, { color: "#654321" })]);

test("expanding or collapsing a category does not recolour its shapes", () => {
  const { editor, annotations } = new TestEditor(twoColors());
  const colors = () => annotations.map((each) => editor.layers.colorOf(each));
  const category = editor.document.category(1)?.color;
  editor.layers.expand(1, false);
  const [first, second] = colors();
  expect(first).toBe(category);
  editor.layers.expand(1, true);
  expect(colors()).toEqual([first, second]);
});

test("shapes are coloured by annotation if the user has chosen this, on every image opened in this browser", () => {
  const { editor, annotations } = new TestEditor(twoColors());
  editor.layers.setColorBy("annotation");
  expect(annotations.map((each) => editor.layers.colorOf(each))).toEqual(["#123456", "#654321"]);
  const next = new TestEditor(twoColors());
  expect(next.annotations.map((each) => next.editor.layers.colorOf(each))).toEqual(["#123456", "#654321"]);
  next.editor.list.find(({ id }) => id === "color by")?.run();
  expect(next.editor.layers.state.colorBy).toBe("author");
  next.editor.list.find(({ id }) => id === "color by")?.run();
  expect(new TestEditor(twoColors()).editor.layers.state.colorBy).toBe("category");
});

test("neighbours of one category have shades of its colour, which stay when one is selected or deleted", () => {
  const desk = new TestEditor(twoColors());
  const { editor, annotations } = desk;
  const [first, second] = annotations.map((each) => editor.layers.colorOf(each));
  expect([first, second]).toEqual(["#00ff00", shadeOf("#00ff00", 1)]);
  editor.selection.selectAnnotation(annotations[0]!);
  expect(editor.layers.colorOf(annotations[0]!)).toBe(first);
  editor.actions.delete(annotations[0]!.uuid);
  expect(editor.layers.colorOf(annotations[1]!)).toBe(second);
});

test("shapes are coloured by the value of an attribute, one that is missing in grey", () => {
  const scene = sceneOf([
    annotationOf(1, { attributes: { pose: "sitting" } }),
    annotationOf(2, { attributes: { pose: "standing" } }),
    annotationOf(3),
  ]);
  const pose = { name: "pose", type: "choice" as const, choices: ["standing", "sitting"] };
  const attributes = [{ ...pose, required: false, default: null, key: null }];
  const categories = scene.categories.map((category) => ({ ...category, attributes }));
  const { editor, annotations } = new TestEditor({ ...scene, categories });
  editor.layers.setColorBy("author");
  editor.list.find(({ id }) => id === "color by")?.run();
  expect(editor.layers.state.colorBy).toBe("attribute:pose");
  expect(annotations.map((each) => editor.layers.colorOf(each))).toEqual(["#56b4e9", "#e69f00", NO_VALUE]);
});

test("shapes are coloured by author if the user has chosen this, with one colour for each user", () => {
  const scene = sceneOf([annotationOf(1), annotationOf(2, { creator: "bo" }), annotationOf(3)]);
  const { editor, annotations } = new TestEditor(scene);
  editor.layers.setColorBy("author");
  const [one, two, three] = annotations.map((each) => editor.layers.colorOf(each));
  expect(one).toBe(three);
  expect(one).not.toBe(two);
});

test("showing annotations that are already shown keeps the state, so that no row is listed again", () => {
  const { editor, annotations } = new TestEditor(twoColors());
  const { hidden } = editor.layers.state;
  editor.layers.showAnnotations(annotations);
  expect(editor.layers.state.hidden).toBe(hidden);
  const [first, second] = annotations.map(({ uuid }) => uuid);
  editor.layers.setHidden([first!], true);
  editor.layers.setHidden([first!, second!], false);
  expect([...editor.layers.state.hidden]).toEqual([]);
});

test("a palette recolours the user's own categories as one undo step", () => {
  const scene = sceneOf([annotationOf(1)]);
  const [cat, dog] = scene.categories;
  const theirs = { ...dog!, id: 3, permissions: { edit: false, delete: false } };
  const dataset = { ...scene.dataset, categories: [1, 2, 3] };
  const desk = new TestEditor({ ...scene, dataset, categories: [cat!, dog!, theirs] });
  desk.editor.categories.recolor("Tol bright");
  const colors = () => [1, 2, 3].map((id) => desk.editor.document.category(id)?.color);
  expect(colors()).toEqual(["#4477aa", "#ee6677", "#00ff00"]);
  expect(desk.editor.ui.store.getState().message).toBe("2 categories recolored, 1 of other users not changed");
  desk.press("control", "z");
  expect(colors()).toEqual(["#00ff00", "#00ff00", "#00ff00"]);
});
