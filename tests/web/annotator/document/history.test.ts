import { expect, test } from "vitest";
import type { Change } from "../../../../shared/edits/edit";
import { annotationOf, at, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

const theirs = (fields: Record<string, unknown>, change: Partial<Change> = {}): Change => ({
  image_revision: 9,
  subject: "annotation",
  subject_id: uuidOf(1),
  revision: 9,
  action: "modify",
  fields: fields as Change["fields"],
  edit: null,
  client: "somebodyelse",
  user: "bob",
  ...change,
});

test("undo is refused, with a message, if another user has changed the same field since", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).drag([100, 100], [80, 80]);
  const moved = [[[1, 1, 9, 1, 9, 9]]];
  editor.editor.document.acknowledge([{ uuid: editor.recorded[0]!.uuid, status: "applied", revision: 4 }]);
  editor.editor.document.applyRemote([theirs({ rings: moved })], 9);
  editor.press("control", "z");
  expect(editor.toastTitles).toEqual(["Cannot be undone"]);
  expect(editor.annotations[0]?.rings).toEqual(moved);
  expect(editor.recorded).toHaveLength(1);
});

test("undo ignores other fields: another user's name stays, and the shape is reverted", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).drag([100, 100], [80, 80]);
  editor.editor.document.acknowledge([{ uuid: editor.recorded[0]!.uuid, status: "applied", revision: 4 }]);
  editor.editor.document.applyRemote([theirs({ metadata: { name: "tom" } })], 9);
  editor.press("control", "z");
  expect(editor.annotations[0]).toMatchObject({ rings: [[SQUARE]], metadata: { name: "tom" } });
});

test("undo is based on the newest revision", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).drag([100, 100], [80, 80]);
  editor.respond(editor.recorded[0]!, { status: "applied", revision: 4 });
  await editor.settled();
  editor.press("control", "z");
  expect(editor.recorded.map(({ base }) => base)).toEqual([3, 4]);
});

test("undoing a deletion restores number, creator, mask and position", () => {
  const crowd = annotationOf(2, { rings: null, rle: { size: [480, 640], counts: [307_200] }, iscrowd: true });
  const editor = new TestEditor(sceneOf([annotationOf(1), crowd, annotationOf(3)]));
  editor.editor.commands.delete(crowd.uuid);
  expect(editor.annotations).toHaveLength(2);
  editor.press("control", "z");
  expect(editor.annotations[1]).toEqual(crowd);
});

test("deleting the selected annotation selects no other", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1), annotationOf(2)]));
  editor.editor.selection.selectAnnotation(annotationOf(1));
  editor.press("delete");
  expect(editor.annotations.map(({ uuid }) => uuid)).toEqual([uuidOf(2)]);
  expect(editor.editor.selection.state.annotation).toBeNull();
});

test("a gesture with several changes is one step", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  const { history, commands } = editor.editor;
  history.gesture({ name: "Annotation 1", action: "Change" }, () => {
    commands.rename(uuidOf(1), "tom");
    commands.modify(uuidOf(1), { color: "#123456" }, "Change");
  });
  expect(history.store.getState().undo).toEqual({ name: "Annotation 1", action: "Change" });
  editor.press("control", "z");
  expect(editor.annotations[0]).toEqual(annotationOf(1));
  expect(history.store.getState().undo).toBeNull();
});

test("a new step clears the steps that could be redone", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).drag([100, 100], [80, 80]);
  editor.press("control", "z").drag([200, 200], [220, 220]).press("control", "y");
  expect(editor.selected?.rings).toEqual([[[100, 100, 200, 100, 220, 220, 100, 200]]]);
});

test("undo without an undo step does nothing", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).press("control", "z").press("control", "y");
  expect(editor.recorded).toEqual([]);
  expect(editor.toastTitles).toEqual([]);
});

test("undo during a drag cancels the drag, and nothing else", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).drag([100, 100], [80, 80]);
  editor.editor.pointer.down(at(200, 200));
  editor.move(230, 230);
  editor.press("control", "z");
  editor.editor.pointer.up(at(240, 240));
  expect(editor.recorded).toHaveLength(1);
  expect(editor.annotations[0]?.rings?.[0]?.[0]?.slice(0, 2)).toEqual([80, 80]);
});

test("undo reverts strokes drawn before it, not those drawn after it", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  const add = (ring: number[]) => editor.editor.drawing.combine("unite", async (shape) => [...shape, [ring]]);
  void add([0, 0, 9, 0, 9, 9]);
  editor.press("control", "z");
  await add([300, 0, 309, 0, 309, 9]);
  await editor.settled();
  expect(editor.selected?.rings).toEqual([[SQUARE], [[300, 0, 309, 0, 309, 9]]]);
});

test("an annotation deleted right after a stroke is restored with the stroke", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  const done = editor.editor.drawing.combine("unite", async (shape) => [...shape, [[0, 0, 9, 0, 9, 9]]]);
  editor.press("backspace");
  await done;
  await editor.settled();
  expect(editor.annotations).toEqual([]);
  editor.press("control", "z");
  expect(editor.annotations[0]?.rings).toHaveLength(2);
});

test("changes added to a step are undone with it, and an undone step accepts no changes", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1), annotationOf(2)]));
  const { history, commands } = editor.editor;
  const shape = (side: number) => [[[0, 0, side, 0, side, side]]];
  const rings = () => editor.editor.document.annotation(uuidOf(1))?.rings;
  commands.reshape(uuidOf(1), shape(9), false, "Unite");
  const step = history.newest!;
  commands.rename(uuidOf(2), "tom");
  expect(history.amend(step, () => commands.reshape(uuidOf(1), shape(20), false, "Unite"))).toBe(true);
  history.undo();
  expect(rings()).toEqual(shape(20));
  history.undo();
  expect(rings()).toEqual([[SQUARE]]);
  expect(history.amend(step, () => commands.reshape(uuidOf(1), shape(30), false, "Unite"))).toBe(false);
  expect(rings()).toEqual([[SQUARE]]);
  history.redo();
  expect(rings()).toEqual(shape(20));
});

test("a step accepts no changes after a later step of the same annotation", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  const { history, commands } = editor.editor;
  commands.reshape(uuidOf(1), [[[0, 0, 9, 0, 9, 9]]], false, "Unite");
  const step = history.newest!;
  commands.rename(uuidOf(1), "tom");
  expect(history.amend(step, () => commands.reshape(uuidOf(1), [], false, "Unite"))).toBe(false);
  expect(history.has(step)).toBe(true);
});
