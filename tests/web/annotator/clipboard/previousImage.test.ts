import { expect, test } from "vitest";
import { annotationOf, at, sceneOf, TestEditor, uuidOf } from "../testEditor";

const OTHER = [300, 100, 400, 100, 400, 200, 300, 200];

test("Shift+C adds the annotations of the previous image that are missing on this image, in one step, and selects them", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.scenes.set(6, sceneOf([annotationOf(11), annotationOf(12, { rings: [[OTHER]] })]));
  await editor.press("shift", "c").settled();
  expect(editor.annotations.map(({ rings }) => rings?.[0]?.[0]?.[0])).toEqual([100, 300]);
  expect(editor.editor.selection.state.annotation).toBe(editor.annotations[1]?.uuid);
  expect(editor.annotations[1]?.uuid).not.toBe(uuidOf(12));
  expect(editor.editor.ui.store.getState().message).toBe("1 annotation copied, 1 already there");
  editor.press("control", "z");
  expect(editor.annotations).toHaveLength(1);
});

test("a previous image that has a different size, is empty, missing or does not exist adds nothing and shows the reason", async () => {
  const editor = new TestEditor();
  await editor.press("shift", "c").settled();
  expect(editor.messages).toEqual(["error: No image has this ID, or you have no access to it."]);
  const scene = sceneOf([annotationOf(11)]);
  editor.scenes.set(6, { ...scene, image: { ...scene.image, width: 100 } });
  await editor.press("shift", "c").settled();
  expect(editor.messages[1]).toMatch(/a different size/);
  editor.scenes.set(6, sceneOf([]));
  await editor.press("shift", "c").settled();
  expect(editor.editor.ui.store.getState().message).toBe("The previous image has no annotations");
  const alone = sceneOf();
  const first = new TestEditor({ ...alone, image: { ...alone.image, previous: null } });
  await first.press("shift", "c").settled();
  expect(first.editor.ui.store.getState().message).toBe("This is the first image of the list");
  expect([...editor.recorded, ...first.recorded]).toEqual([]);
});

/** Presses Shift+C and holds back the previous image's scene until the returned function is called. */
function copyLate(editor: TestEditor): () => Promise<void> {
  const { parts } = editor.editor;
  const { loadScene } = parts;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  parts.loadScene = (id) => released.then(() => loadScene(id));
  editor.scenes.set(6, sceneOf([annotationOf(11), annotationOf(12, { rings: [[OTHER]] })]));
  editor.press("shift", "c");
  return async () => {
    release();
    await editor.settled();
  };
}

const copiesOf = (editor: TestEditor) =>
  editor.annotations.filter(({ rings }) => rings?.[0]?.[0]?.[0] === 100 || rings?.[0]?.[0]?.[0] === 300);
const copied = ({ editor }: TestEditor) => editor.ui.store.getState().message === "2 annotations copied";

test("copies that arrive late leave an outline that was begun since in its annotation", async () => {
  const editor = new TestEditor();
  const arrive = copyLate(editor);
  editor.press(" ").choose("Polygon").clicks([500, 300], [560, 300], [560, 360]);
  const drawnOn = editor.selected?.uuid;
  await arrive();
  expect(copied(editor)).toBe(true);
  expect([editor.toolState, editor.selected?.uuid]).toEqual(["polygon.drawing", drawnOn]);
  await editor.press("enter").settled();
  expect(editor.selected).toMatchObject({ uuid: drawnOn, rings: [[[500, 300, 560, 300, 560, 360]]] });
  expect(copiesOf(editor).map(({ rings }) => rings?.length)).toEqual([1, 1]);
});

test("copies that arrive late leave a stroke in progress, and a selection that was drawn into since", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: [[[10, 10, 50, 10, 50, 50]]] })])).click(40, 20);
  const arrive = copyLate(editor.choose("Brush"));
  editor.editor.pointer.down(at(500, 300));
  await arrive();
  editor.editor.pointer.move(at(520, 300));
  editor.editor.pointer.up(at(520, 300));
  await editor.editor.drawing.settled();
  expect(editor.selected).toMatchObject({ id: 1 });
  expect(editor.selected?.rings).toHaveLength(2);
  expect(copiesOf(editor)).toHaveLength(2);

  const between = new TestEditor(sceneOf([annotationOf(1, { rings: [[[10, 10, 50, 10, 50, 50]]] })])).click(40, 20);
  const arriveBetween = copyLate(between.choose("Brush"));
  between.drag([500, 300], [520, 300]);
  await between.editor.drawing.settled();
  await arriveBetween();
  expect(between.selected).toMatchObject({ id: 1 });
  expect(copiesOf(between)).toHaveLength(2);
});

test("copies that arrive late are selected if only drawings that were pending have been finished since", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: [[[10, 10, 50, 10, 50, 50]]] })])).click(40, 20);
  const finish = editor.holdBack();
  editor.choose("Brush").drag([500, 300], [520, 300]);
  const arrive = copyLate(editor.choose("Select"));
  await arrive();
  await finish();
  expect(editor.editor.document.annotation(uuidOf(1))?.rings).toHaveLength(2);
  expect([...editor.editor.selection.state.all]).toEqual(copiesOf(editor).map(({ uuid }) => uuid));
});

test("annotations that arrive after the image was left are not added", async () => {
  const editor = new TestEditor();
  editor.scenes.set(6, sceneOf([annotationOf(11)]));
  editor.press("shift", "c").editor.leave();
  await editor.settled();
  expect(editor.recorded).toEqual([]);
});
