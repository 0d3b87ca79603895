import { expect, test } from "vitest";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

const actions = ({ recorded }: TestEditor) => recorded.map(({ action }) => action);

test("an empty annotation is not recorded until it gets its first shape, so a reload leaves no empty annotation", () => {
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

test("a name, a colour or a keypoint makes an empty annotation stay, but a change of category does not", () => {
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

test("the dataset's default metadata does not count as content", () => {
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

test("undoing the first shape deletes the annotation from the journal, and redoing it creates it again", async () => {
  const editor = new TestEditor().choose("BBox").drag([20, 10], [80, 60]);
  const { uuid } = editor.selected!;
  const shape = editor.selected!.rings;
  editor.press("control", "z");
  expect(editor.selected).toMatchObject({ uuid, rings: [] });
  expect(actions(editor)).toEqual(["create", "modify", "delete"]);
  editor.press("control", "shift", "z");
  expect(editor.selected).toMatchObject({ uuid, rings: shape });
  expect(editor.recorded.slice(3)).toMatchObject([
    { action: "create", target: uuid, after: { rings: [] } },
    { action: "modify", target: uuid, after: { rings: shape } },
  ]);
});

test("another shape after the undo creates the annotation again, based on the deletion", async () => {
  const editor = new TestEditor().choose("BBox").drag([20, 10], [80, 60]);
  editor.press("control", "z");
  const answers = [1, 2, 3].map((revision) => ({ status: "applied" as const, id: 8, revision }));
  for (const [n, answer] of answers.entries()) editor.respond(editor.recorded[n]!, answer);
  await editor.settled();
  editor.drag([30, 30], [90, 90]);
  expect(editor.recorded.slice(3)).toMatchObject([
    { action: "create", base: 3 },
    { action: "modify", base: 3 },
  ]);
  expect(editor.annotations).toMatchObject([{ id: 8, isbbox: true }]);
});

test("an annotation whose only shape is undone leaves the list when it is deselected, and redo brings it back", () => {
  const editor = new TestEditor().choose("BBox").drag([20, 10], [80, 60]);
  const { uuid } = editor.selected!;
  editor.press("control", "z");
  editor.editor.selection.selectAnnotation(null);
  expect(editor.annotations).toEqual([]);
  expect(actions(editor)).toEqual(["create", "modify", "delete"]);
  editor.press("control", "shift", "z");
  expect(editor.annotations).toMatchObject([{ uuid, isbbox: true }]);
  expect(actions(editor)).toEqual(["create", "modify", "delete", "create", "modify"]);
  editor.press("control", "z");
  expect(editor.annotations).toEqual([]);
});

test("also undoing the creation, and redoing only the creation, records nothing more", () => {
  const editor = new TestEditor().choose("BBox").drag([20, 10], [80, 60]);
  editor.press("control", "z").press("control", "z");
  expect(editor.annotations).toEqual([]);
  editor.press("control", "shift", "z");
  expect(editor.annotations).toHaveLength(1);
  expect(actions(editor)).toEqual(["create", "modify", "delete"]);
});

test("an annotation that keeps a name stays when its shape is undone", () => {
  const editor = new TestEditor().choose("BBox");
  editor.editor.commands.rename(editor.selected!.uuid, "left");
  editor.drag([20, 10], [80, 60]).press("control", "z");
  expect(actions(editor)).toEqual(["create", "modify", "modify", "modify"]);
});

test("an emptied annotation outlives its own deletion, whether acknowledged or received as an event, and a reload of the image", async () => {
  const editor = new TestEditor().choose("BBox").drag([20, 10], [80, 60]);
  const { uuid } = editor.selected!;
  editor.press("control", "z");
  const { document } = editor.editor;
  document.acknowledge([{ uuid: editor.recorded[0]!.uuid, status: "applied", id: 8, revision: 1 }]);
  document.acknowledge([{ uuid: editor.recorded[1]!.uuid, status: "applied", id: 8, revision: 2 }]);
  const change = { image_revision: 9, subject: "annotation" as const, subject_id: uuid, revision: 3, fields: {} };
  const own = { ...change, action: "delete" as const, edit: editor.recorded[2]!.uuid, client: "me", user: "ada" };
  expect(document.applyRemote([own], 9)).toBe(true);
  expect(editor.selected).toMatchObject({ uuid, rings: [], revision: 3 });
  document.expectReplacement();
  document.replace(sceneOf());
  expect(editor.selected).toMatchObject({ uuid, rings: [] });
});
