import { expect, test } from "vitest";
import type { AnnotatorScene } from "../../../../shared/api/annotator";
import type { Change } from "../../../../shared/edits/edit";
import type { AttributeDefinition } from "../../../../shared/entities/attribute";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

const COLOR: AttributeDefinition = {
  ...{ name: "color", type: "choice", choices: ["red", "green"], required: true, default: "red", key: "y" },
};

/** A scene whose category "cat" defines a colour. */
function sceneWith(...values: { [name: string]: string }[]): AnnotatorScene {
  const scene = sceneOf(values.map((attributes, i) => annotationOf(i + 1, { attributes })));
  const [cat, ...others] = scene.categories;
  return { ...scene, categories: [{ ...cat!, attributes: [COLOR] }, ...others] };
}

const valuesOf = ({ annotations }: TestEditor) => annotations.map(({ attributes }) => attributes);

test("a value is set for all selected annotations in one step, and undo restores each", () => {
  const editor = new TestEditor(sceneWith({ color: "red" }, {}, { color: "green", note: "x" })).press("control", "a");
  editor.editor.attributes.set("color", "green");
  expect(valuesOf(editor)).toEqual([{ color: "green" }, { color: "green" }, { color: "green", note: "x" }]);
  expect(editor.recorded).toHaveLength(2);
  editor.press("control", "z");
  expect(valuesOf(editor)).toEqual([{ color: "red" }, {}, { color: "green", note: "x" }]);
});

test("a value that was typed for annotations is set for these, not for what is selected now", () => {
  const editor = new TestEditor(sceneWith({ color: "red" }, { color: "red" }, {})).click(150, 150);
  const others = editor.annotations.filter((each) => each !== editor.selected).map(({ uuid }) => uuid);
  editor.editor.attributes.set("color", "green", others);
  expect(editor.selected?.attributes).not.toEqual({ color: "green" });
  expect(valuesOf(editor).filter(({ color }) => color === "green")).toHaveLength(2);
  editor.editor.attributes.set("color", "blue", ["gone"]);
  expect(editor.recorded).toHaveLength(2);
  expect(editor.editor.ui.store.getState().message).toBe("");
});

test("the key of an attribute sets the next choice for the selected annotations only", () => {
  const editor = new TestEditor(sceneWith({ color: "red" })).press("y");
  expect(editor.recorded).toEqual([]);
  editor.click(150, 150).press("y");
  expect(valuesOf(editor)).toEqual([{ color: "green" }]);
  editor.press("y");
  expect(valuesOf(editor)).toEqual([{ color: "red" }]);
});

test("the key of an attribute goes through the choices although a selected annotation is locked", () => {
  const editor = new TestEditor(sceneWith({ color: "red" }, { color: "red" })).press("control", "a");
  editor.editor.locks.set([uuidOf(1)], true);
  editor.press("y").press("y").press("y");
  expect(valuesOf(editor)).toEqual([{ color: "red" }, { color: "green" }]);
});

/** A scene with an annotation of each of two categories; `second` are the attributes of the second one. */
function mixedScene(second: AttributeDefinition[]): AnnotatorScene {
  const scene = sceneOf([annotationOf(1), annotationOf(2, { category_id: 2 }), annotationOf(3)]);
  const categories = scene.categories.map((each, i) => ({ ...each, attributes: i === 0 ? [COLOR] : second }));
  return { ...scene, categories };
}

const statusOf = ({ editor }: TestEditor) => editor.ui.store.getState().message;

test("the key of an attribute that only some selected annotations have changes these and counts the others", () => {
  const editor = new TestEditor(mixedScene([])).press("control", "a").press("y");
  expect(valuesOf(editor)).toEqual([{ color: "red" }, {}, { color: "red" }]);
  expect(statusOf(editor)).toBe("color: red. 1 selected annotation has no attribute “color”");
  editor.press("control", "z");
  expect(valuesOf(editor)).toEqual([{}, {}, {}]);
});

test("a key that means different attributes means that of the main annotation's category", () => {
  const size = { ...COLOR, name: "size", choices: ["small", "large"] };
  const editor = new TestEditor(mixedScene([size]));
  editor.editor.selection.selectAnnotations(editor.annotations, editor.annotations[1]!);
  editor.press("y");
  expect(valuesOf(editor)).toEqual([{}, { size: "small" }, {}]);
  expect(statusOf(editor)).toBe("size: small. 2 selected annotations have no attribute “size”");
});

test("the key of a text that only some selected annotations have explains why there is no field", () => {
  const scene = mixedScene([{ ...COLOR, name: "plate", type: "text", choices: [], key: "b" }]);
  const editor = new TestEditor(scene).press("control", "a").press("b");
  expect(editor.editor.attributes.store.getState().field).toBeNull();
  expect(statusOf(editor)).toMatch(/^2 selected annotations have no attribute “plate”\. Select only the others/);
});

test("the keys of the common flags switch them in all categories", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1), annotationOf(2, { category_id: 2 })])).press("control", "a");
  editor.press("shift", "q").press("shift", "w").press("shift", "w");
  expect(valuesOf(editor)).toEqual(Array(2).fill({ occluded: true, truncated: false }));
});

test("a new annotation gets the defaults of its category", () => {
  const editor = new TestEditor(sceneWith()).choose("BBox").drag([10, 10], [40, 40], [80, 80]);
  expect(valuesOf(editor)).toEqual([{ color: "red" }]);
  expect(editor.recorded[0]).toMatchObject({ action: "create", after: { attributes: { color: "red" } } });
});

test("undo keeps a value that another user has changed since", () => {
  const editor = new TestEditor(sceneWith({ color: "red" })).click(150, 150).press("y");
  const { document } = editor.editor;
  document.acknowledge([{ uuid: editor.recorded[0]!.uuid, status: "applied", revision: 4 }]);
  document.applyRemote([theirs({ attributes: { color: "green", occluded: true } }, 5)], 9);
  editor.press("control", "z");
  expect(valuesOf(editor)).toEqual([{ color: "red", occluded: true }]);
});

test("undo is refused if another user has changed the same value", () => {
  const editor = new TestEditor(sceneWith({ color: "red" })).click(150, 150).press("y");
  const { document } = editor.editor;
  document.acknowledge([{ uuid: editor.recorded[0]!.uuid, status: "applied", revision: 4 }]);
  document.applyRemote([theirs({ attributes: { color: "red" } }, 5)], 9);
  editor.press("control", "z");
  expect(editor.toastTitles).toEqual(["Cannot be undone"]);
});

test("another user's value that arrives while this user's edit is pending is present at once and after both are stored", () => {
  const editor = new TestEditor(sceneWith({ color: "red" })).click(150, 150).press("y");
  const { document } = editor.editor;
  const own = editor.recorded[0]!;
  document.applyRemote([theirs({ attributes: { color: "red", occluded: true } }, 4)], 9);
  expect(valuesOf(editor)).toEqual([{ color: "green", occluded: true }]);
  expect(document.acknowledge([{ uuid: own.uuid, status: "applied", revision: 5 }])).toBe("complete");
  document.applyRemote([{ ...theirs({ attributes: { color: "green", occluded: true } }, 5), edit: own.uuid }], 10);
  expect(valuesOf(editor)).toEqual([{ color: "green", occluded: true }]);
});

test("choosing a category for an annotation adds the category's default attributes in the same step", () => {
  const scene = sceneWith();
  const dog = sceneOf([]).categories[1]!;
  const editor = new TestEditor({
    ...scene,
    categories: [scene.categories[0]!, { ...dog, annotations: [annotationOf(1, { category_id: 2 })] }],
  });
  editor.click(150, 150).press("1");
  expect(editor.annotations[0]).toMatchObject({ category_id: 1, attributes: { color: "red" } });
  editor.press("control", "z");
  expect(editor.annotations[0]).toMatchObject({ category_id: 2, attributes: {} });
});

test("setting attributes does not store an annotation that is still empty", () => {
  const editor = new TestEditor(sceneWith());
  editor.editor.creating.newAnnotation();
  editor.editor.attributes.set("color", "green");
  expect(editor.recorded).toEqual([]);
});

const theirs = (fields: Change["fields"], revision: number): Change => ({
  ...{ image_revision: 9, subject: "annotation", subject_id: uuidOf(1), revision, action: "modify", fields },
  ...{ edit: null, client: "somebodyelse", user: "bob" },
});
