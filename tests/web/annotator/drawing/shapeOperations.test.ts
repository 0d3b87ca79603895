import { expect, test } from "vitest";
import { annotationOf, at, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

const box = (x: number, y: number, width: number, height = width) => [
  x,
  y,
  x + width,
  y,
  x + width,
  y + height,
  x,
  y + height,
];
const boundsOf = (rings: number[][][] | null | undefined) => {
  const flat = (rings ?? []).flat(2);
  const xs = flat.filter((_, i) => i % 2 === 0);
  const ys = flat.filter((_, i) => i % 2 === 1);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};

const MASK = { size: [480, 640] as [number, number], counts: [100_000, 40, 440, 40, 206_680] };

/** Annotations 1 (100 to 200) and 2 (150 to 250), which overlap, and 3, away from both. */
const three = () =>
  new TestEditor(
    sceneOf([
      annotationOf(1, { metadata: { name: "tom", size: 3 } }),
      annotationOf(2, { rings: [[box(150, 100, 100)]] }),
      annotationOf(3, { rings: [[box(400, 300, 20)]] }),
    ]),
  );

test("merge unites annotations into the first and deletes the others, as one undo step", async () => {
  const editor = three().click(110, 110);
  const before = editor.annotations;
  await editor.editor.operations.merge([uuidOf(1), uuidOf(2), uuidOf(3)]);
  expect(editor.annotations.map(({ id }) => id)).toEqual([1]);
  expect(editor.selected?.rings).toHaveLength(2);
  expect(boundsOf(editor.selected?.rings?.slice(0, 1))).toEqual([100, 100, 250, 200]);
  expect(editor.recorded.map(({ action }) => action)).toEqual(["modify", "delete", "delete"]);
  editor.press("control", "z");
  expect(editor.annotations).toEqual(before);
});

test("merge keeps the keypoints of the first annotation that has any", async () => {
  const keypoints = [{ label: 1, x: 5, y: 5, v: 2 }];
  const editor = new TestEditor(sceneOf([annotationOf(1), annotationOf(2, { keypoints })]));
  await editor.editor.operations.merge([uuidOf(1), uuidOf(2)]);
  expect(editor.annotations).toMatchObject([{ id: 1, keypoints }]);
});

test("merge traces masks, and turns boxes into outlines", async () => {
  const scene = sceneOf([annotationOf(1, { isbbox: true }), annotationOf(2, { rings: null, rle: MASK })]);
  const editor = new TestEditor(scene);
  await editor.editor.operations.merge([uuidOf(1), uuidOf(2)]);
  expect(editor.annotations).toMatchObject([{ isbbox: false }]);
  expect(editor.annotations[0]?.rings).toHaveLength(2);
});

test("merging one annotation, or one that no longer exists, changes nothing", async () => {
  const editor = three();
  await editor.editor.operations.merge([uuidOf(1)]);
  await editor.editor.operations.merge([uuidOf(1), uuidOf(9)]);
  await editor.editor.operations.merge([]);
  expect(editor.recorded).toEqual([]);
});

test("M merges the selected annotation with the one under the pointer", async () => {
  const editor = three().click(110, 110).move(410, 310);
  expect(editor.selected?.id).toBe(1);
  await editor.press("m").settled();
  expect(editor.annotations.map(({ id }) => id)).toEqual([1, 2]);
  editor.move(600, 400).press("m");
  expect(editor.editor.ui.store.getState().message).toBe("Point at the annotation to merge with");
});

/** Clicks the corners of a triangle that touches no annotation. */
const drawTriangle = (editor: TestEditor) => editor.clicks([500, 300], [560, 300], [560, 360]);

test("a merge that ends late leaves the outline that is drawn on another annotation there", async () => {
  const editor = three().click(110, 110).move(240, 190);
  const finish = editor.holdBack();
  drawTriangle(editor.press("m").choose("Select").click(410, 310).choose("Polygon"));
  await finish();
  expect(editor.annotations.map(({ id }) => id)).toEqual([1, 3]);
  expect(editor.selected?.id).toBe(3);
  await editor.press("enter").settled();
  expect(boundsOf(editor.annotations[1]?.rings)).toEqual([400, 300, 560, 360]);
  expect(boundsOf(editor.annotations[0]?.rings)).toEqual([100, 100, 250, 200]);
});

test("a merge that ends late keeps a brush stroke on another annotation", async () => {
  const editor = three().click(110, 110).move(240, 190);
  const finish = editor.holdBack();
  editor.press("m").choose("Select").click(410, 310).choose("Brush");
  editor.editor.pointer.down(at(500, 300));
  await finish();
  editor.editor.pointer.move(at(520, 300));
  editor.editor.pointer.up(at(520, 300));
  await editor.editor.drawing.settled();
  expect(editor.annotations.map(({ id, rings }) => [id, rings?.length])).toEqual([
    [1, 1],
    [3, 2],
  ]);
});

test("a merge that ends late selects nothing after the user has deselected all", async () => {
  const editor = three().click(110, 110).move(240, 190);
  const finish = editor.holdBack();
  editor.press("m").press("escape");
  await finish();
  expect(editor.annotations.map(({ id }) => id)).toEqual([1, 3]);
  expect(editor.selected).toBeNull();
});

test("an outline that is drawn on an annotation while it is merged goes into the merged one", async () => {
  const editor = three().click(110, 110).move(240, 190);
  const finish = editor.holdBack();
  drawTriangle(editor.press("m").choose("Select").click(240, 190).choose("Polygon"));
  expect(editor.selected?.id).toBe(2);
  await finish();
  await editor.press("enter").settled();
  expect(editor.annotations.map(({ id, rings }) => [id, rings?.length])).toEqual([
    [1, 2],
    [3, 1],
  ]);
});

test("M merges all selected annotations into the main one, and the box command converts all of them", async () => {
  const editor = await three().press("control", "a").press("shift", "r").settled();
  expect(editor.annotations.map(({ isbbox }) => isbbox)).toEqual([true, true, true]);
  await editor.press("m").settled();
  expect(editor.annotations.map(({ id }) => id)).toEqual([1]);
  editor.press("control", "z");
  expect(editor.annotations.map(({ id }) => id)).toEqual([1, 2, 3]);
});

const LOCKED = "Locked. Shift + L unlocks the selected annotations.";
const message = ({ editor }: TestEditor) => editor.ui.store.getState().message;

test.each([1, 2])(
  "a merge with annotation %i locked changes nothing and says only that it is locked",
  async (locked) => {
    const editor = three().click(110, 110);
    editor.editor.locks.set([uuidOf(locked)], true);
    await editor.editor.operations.merge([uuidOf(1), uuidOf(2)]);
    expect(editor.recorded).toEqual([]);
    expect(message(editor)).toBe(LOCKED);
  },
);

test("a merge of an annotation that was locked since leaves the selection alone", async () => {
  const editor = three().click(110, 110).move(240, 190);
  const finish = editor.holdBack();
  editor.press("m").choose("Select").click(240, 190);
  editor.editor.locks.set([uuidOf(2)], true);
  await finish();
  expect(editor.recorded).toEqual([]);
  expect(editor.selected?.id).toBe(2);
});

test("a split of an annotation that was locked since changes nothing and says only that it is locked", async () => {
  const editor = three();
  const finish = editor.holdBack();
  void editor.editor.operations.split(uuidOf(1), [130, 50, 130, 250]);
  editor.editor.locks.set([uuidOf(1)], true);
  await finish();
  expect(editor.recorded).toEqual([]);
  expect(message(editor)).toBe(LOCKED);
});

test("split leaves the largest part in the annotation; the other parts become new annotations of its category", async () => {
  const editor = three();
  await editor.editor.operations.split(uuidOf(1), [130, 50, 130, 250]);
  const [first, , , part] = editor.annotations;
  expect(boundsOf(first?.rings)).toEqual([130, 100, 200, 200]);
  expect(first?.metadata).toEqual({ name: "tom", size: 3 });
  expect(boundsOf(part?.rings)).toEqual([100, 100, 130, 200]);
  expect(part).toMatchObject({ category_id: 1, metadata: { size: 3 }, isbbox: false, creator: "ada" });
  expect(editor.editor.ui.store.getState().message).toBe("Split into 2 annotations");
  editor.press("control", "z");
  expect(editor.annotations).toHaveLength(3);
  expect(editor.annotations[0]?.rings).toEqual([[SQUARE]]);
});

test("the parts of a box that are boxes stay boxes", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { isbbox: true })]));
  await editor.editor.operations.split(uuidOf(1), [130, 50, 130, 250]);
  expect(editor.annotations.map(({ isbbox }) => isbbox)).toEqual([true, true]);
  await editor.editor.operations.split(uuidOf(1), [120, 50, 220, 250]);
  expect(editor.annotations.map(({ isbbox }) => isbbox)).toEqual([false, true, false]);
});

test("a line beside the shape changes nothing and shows a message", async () => {
  const editor = three();
  await editor.editor.operations.split(uuidOf(1), [0, 0, 50, 50]);
  expect(editor.recorded).toEqual([]);
  expect(editor.editor.ui.store.getState().message).toMatch(/does not divide/);
});

test("subtract neighbours cuts away the visible shapes that overlap", async () => {
  const editor = three();
  await editor.editor.operations.subtractNeighbours([uuidOf(1)], "all");
  expect(boundsOf(editor.annotations[0]?.rings)).toEqual([100, 100, 150, 200]);
  editor.press("control", "z");
  editor.editor.layers.toggleAnnotation(uuidOf(2));
  await editor.editor.operations.subtractNeighbours([uuidOf(1)], "all");
  expect(editor.annotations[0]?.rings).toEqual([[SQUARE]]);
  expect(editor.editor.ui.store.getState().message).toBe("No other shape overlaps this one");
});

test("subtract smaller neighbours ignores larger ones, and can make holes", async () => {
  const scene = sceneOf([
    annotationOf(1),
    annotationOf(2, { rings: [[box(0, 0, 300)]] }),
    annotationOf(3, { rings: [[box(140, 140, 20)]] }),
  ]);
  const editor = new TestEditor(scene);
  await editor.editor.operations.subtractNeighbours([uuidOf(1)], "above");
  expect(editor.annotations[0]?.rings?.map((polygon) => polygon.length)).toEqual([2]);
});

test("an annotation that its neighbours cover is not changed, and a message is shown", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1), annotationOf(2, { rings: [[box(0, 0, 300)]] })]));
  await editor.editor.operations.subtractNeighbours([uuidOf(1)], "all");
  expect(editor.recorded).toEqual([]);
  expect(editor.editor.ui.store.getState().message).toBe("The neighbours cover the whole shape");
});

test("outlines and masks become boxes, boxes become outlines", async () => {
  const triangle = [[[10, 10, 50, 20, 30, 60]]];
  const scene = sceneOf([annotationOf(1, { rings: triangle }), annotationOf(2, { rings: null, rle: MASK })]);
  const editor = new TestEditor(scene);
  await editor.editor.operations.toBox([uuidOf(1), uuidOf(2)]);
  expect(editor.annotations[0]).toMatchObject({ isbbox: true, rings: [[[10, 10, 50, 10, 50, 60, 10, 60]]] });
  expect(editor.annotations[1]).toMatchObject({ isbbox: true, rings: [[box(208, 160, 2, 40)]] });
  editor.press("control", "z");
  await editor.editor.operations.toOutline([uuidOf(1), uuidOf(2)]);
  expect(editor.annotations[0]?.rings).toEqual(triangle);
  expect(editor.annotations[1]).toMatchObject({ isbbox: false });
  expect(editor.annotations[1]?.rings).toHaveLength(1);
});

test("keys work on the selected annotation, and show a message without one", async () => {
  const editor = three().press("shift", "r");
  expect(editor.editor.ui.store.getState().message).toBe("Select an annotation first");
  await editor.click(110, 110).press("shift", "r").settled();
  expect(editor.selected).toMatchObject({ isbbox: true });
  await editor.press("shift", "v").settled();
  expect(editor.selected).toMatchObject({ isbbox: false });
  await editor.press("shift", "m").settled();
  expect(boundsOf(editor.selected?.rings)).toEqual([100, 100, 150, 200]);
});

test("an operation waits for pending strokes", async () => {
  const editor = three().click(110, 110);
  void editor.editor.drawing.combine("unite", async (shape) => [...shape, [box(0, 0, 10)]]);
  await editor.editor.operations.toBox([uuidOf(1)]);
  expect(boundsOf(editor.selected?.rings)).toEqual([0, 0, 200, 200]);
});
