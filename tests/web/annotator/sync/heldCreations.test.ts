import { expect, test } from "vitest";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

const actions = ({ recorded }: TestEditor) => recorded.map(({ action }) => action);

test("an empty annotation is not recorded, so that a reload leaves none; with its first shape it is", () => {
  const editor = new TestEditor().choose("BBox");
  expect(editor.annotations).toHaveLength(1);
  expect(editor.recorded).toEqual([]);
  editor.drag([20, 10], [80, 60]);
  expect(editor.recorded).toMatchObject([
    { action: "create", target: editor.selected?.uuid, after: { rings: [] } },
    { action: "modify", target: editor.selected?.uuid, after: { isbbox: true } },
  ]);
});

test("an empty annotation that is removed, or whose creation is undone, is never recorded", () => {
  const editor = new TestEditor().press(" ").press(" ").press("escape");
  editor.press(" ").press("control", "z").press("control", "shift", "z").press("backspace");
  expect(editor.annotations).toEqual([]);
  expect(editor.recorded).toEqual([]);
});

test("a name, a colour or a keypoint makes an empty annotation stay, a change of category does not", () => {
  const editor = new TestEditor().press(" ");
  editor.editor.commands.modify(editor.selected!.uuid, { category_id: 2 }, "Category");
  expect(editor.recorded).toEqual([]);
  editor.editor.commands.rename(editor.selected!.uuid, "left");
  expect(editor.recorded).toMatchObject([
    { action: "create", after: { category_id: 1 } },
    { action: "modify", after: { category_id: 2 } },
    { action: "modify", after: { metadata: { name: "left" } } },
  ]);
});

test("the dataset's default metadata are no content", () => {
  const scene = sceneOf();
  const dataset = { ...scene.dataset, default_annotation_metadata: { checked: false } };
  const editor = new TestEditor({ ...scene, dataset }).press(" ");
  expect(editor.selected?.metadata).toEqual({ checked: false });
  expect(editor.recorded).toEqual([]);
});

test("an empty annotation that the server has is deleted and restored there", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: [] })]));
  editor.editor.selection.selectAnnotation(editor.annotations[0]!);
  editor.press("backspace").press("control", "z");
  expect(actions(editor)).toEqual(["delete", "create"]);
});

test("an empty annotation outlives a reload of the image's data", () => {
  const editor = new TestEditor().press(" ");
  const { document } = editor.editor;
  document.expectReplacement();
  document.replace(sceneOf());
  expect(editor.selected?.rings).toEqual([]);
  expect(editor.toolState).not.toBe("select.idle");
});
