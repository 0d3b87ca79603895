import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Annotation } from "../../../../shared/entities/annotation";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

const HOLE = [120, 120, 180, 120, 150, 170];
const SQUARE = [100, 100, 200, 100, 200, 200, 100, 200];
const OTHER = [300, 100, 400, 100, 400, 200, 300, 200];

// Pasting asks the page for open dialogs. In a simulated page, paper.js would require a canvas.
beforeEach(() => {
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("Element", class {});
});
afterEach(() => vi.unstubAllGlobals());

/** An editor with annotations, all of them selected. */
function selected(...annotations: Annotation[]): TestEditor {
  return new TestEditor(sceneOf(annotations)).press("control", "a");
}

/** Pastes a text as the browser does for Ctrl+V. Returns true if the page has taken it. */
function paste(editor: TestEditor, text: string): boolean {
  const event = Object.assign(new Event("paste", { cancelable: true }), { clipboardData: { getData: () => text } });
  return !editor.window.dispatchEvent(event);
}

/** Returns the shape and the fields of annotations that a copy must keep. */
const kept = (annotations: readonly Annotation[]) =>
  annotations.map(({ category_id, rings, isbbox, color, metadata, keypoints }) => ({
    category_id,
    rings,
    isbbox,
    color,
    metadata,
    keypoints,
  }));

const first = annotationOf(1, { rings: [[SQUARE, HOLE]], metadata: { name: "a", age: 3 }, color: "#0000ff" });
const second = annotationOf(2, { rings: [[OTHER]], isbbox: true, category_id: 2 });

test("annotations are pasted unchanged on another image, in one step, and are selected", async () => {
  const { clipboard } = await selected(first, second).press("control", "c").settled();
  const there = new TestEditor();
  expect(paste(there, clipboard)).toBe(true);
  expect(kept(there.annotations)).toEqual(kept([first, second]));
  expect(there.recorded).toHaveLength(2);
  expect(there.editor.selection.state.all.size).toBe(2);
  expect(there.editor.history.store.getState().undo).toEqual({ name: "2 annotations", action: "Paste" });
  there.press("control", "z");
  expect(there.annotations).toEqual([]);
});

test("the text is COCO that other programs can read: outlines, boxes, areas and category names", async () => {
  const { clipboard } = await selected(first, second).press("control", "c").settled();
  const { categories, annotations, images } = JSON.parse(clipboard);
  expect(images).toEqual([{ id: 7, file_name: "a.jpg", width: 640, height: 480 }]);
  expect(categories.map(({ name }: { name: string }) => name)).toEqual(["cat", "dog"]);
  expect(annotations).toMatchObject([
    { id: 1, image_id: 7, category_id: 1, segmentation: [SQUARE], bbox: [100, 100, 100, 100], area: 8500, iscrowd: 0 },
    { id: 2, image_id: 7, category_id: 2, segmentation: [OTHER], bbox: [300, 100, 100, 100], area: 10000 },
  ]);
});

test("on the same image, a copy is placed beside the original, and a second copy beside the first", async () => {
  const editor = await selected(second).press("control", "c").settled();
  paste(editor, editor.clipboard);
  paste(editor, editor.clipboard);
  expect(editor.annotations.map(({ rings }) => rings?.[0]?.[0]?.slice(0, 2))).toEqual([
    [300, 100],
    [310, 110],
    [320, 120],
  ]);
});

test("Cut deletes annotations in one step, and pasting puts them back in place", async () => {
  const editor = await selected(first, second).press("control", "x").settled();
  expect(editor.annotations).toEqual([]);
  expect(editor.editor.history.store.getState().undo).toEqual({ name: "2 annotations", action: "Cut" });
  paste(editor, editor.clipboard);
  expect(kept(editor.annotations)).toEqual(kept([first, second]));
});

test("Duplicate places copies beside the originals, inside the image, and selects them", () => {
  const corner = annotationOf(1, { rings: [[[540, 380, 640, 380, 640, 480, 540, 480]]] });
  const editor = selected(corner).press("control", "d");
  expect(editor.annotations.map(({ rings }) => rings?.[0]?.[0]?.slice(0, 2))).toEqual([
    [540, 380],
    [530, 370],
  ]);
  expect([...editor.editor.selection.state.all]).toEqual([editor.annotations[1]?.uuid]);
  expect(editor.clipboard).toBe("");
});

test("shapes from a larger image are moved onto this one together, if they fit", () => {
  const editor = new TestEditor();
  const shifted = SQUARE.map((value) => value + 900);
  const coco = { categories: [{ id: 5, name: " Cat" }], annotations: [{ category_id: 5, segmentation: [shifted] }] };
  paste(editor, JSON.stringify(coco));
  expect(editor.annotations.map(({ rings, category_id }) => [rings, category_id])).toEqual([
    [[[[540, 380, 640, 380, 640, 480, 540, 480]]], 1],
  ]);
});

test("annotations that cannot be pasted are left out and reported, and the others are pasted", () => {
  const editor = new TestEditor();
  const coco = {
    categories: [
      { id: 1, name: "cat" },
      { id: 2, name: "zebra" },
    ],
    annotations: [
      { category_id: 1, segmentation: [SQUARE] },
      { category_id: 2, segmentation: [SQUARE] },
      { category_id: 9, segmentation: [SQUARE] },
      { category_id: 1, segmentation: [[1, 2, 3, 4]] },
      { category_id: 1, segmentation: { size: [480, 640], counts: [1, 2] } },
      { category_id: 1 },
      "nonsense",
    ],
  };
  paste(editor, JSON.stringify(coco));
  expect(editor.annotations).toHaveLength(1);
  expect(editor.messages).toEqual([
    [
      "info: 1 annotation pasted.",
      '1 annotation left out: of the unknown category "zebra".',
      "1 annotation left out: of unknown categories.",
      "2 annotations left out: malformed.",
      "1 annotation left out: with a mask instead of an outline.",
      "1 annotation left out: without a shape or keypoints.",
    ].join("\n"),
  ]);
});

test("annotations of many unknown categories are reported in one line", () => {
  const editor = new TestEditor();
  const names = ["zebra", "gnu", "okapi", "tapir"];
  const categories = names.map((name, i) => ({ id: i + 1, name }));
  const annotations = [1, 2, 3, 4, 4].map((category_id) => ({ category_id, segmentation: [SQUARE] }));
  paste(editor, JSON.stringify({ categories, annotations }));
  expect(editor.messages).toEqual([
    'info: 0 annotations pasted.\n5 annotations left out: of unknown categories: "zebra", "gnu", "okapi", ….',
  ]);
});

test("a text that is not a COCO document changes nothing and shows a message", () => {
  const editor = new TestEditor();
  for (const text of ["", "hello", "[1, 2]", '{"annotations": []}']) paste(editor, text);
  expect(editor.recorded).toEqual([]);
  expect(editor.toastTitles).toEqual(["Paste", "Paste", "Paste", "Paste"]);
});

test("a box without a segmentation is pasted as a box", () => {
  const editor = new TestEditor();
  const coco = { categories: [{ id: 1, name: "cat" }], annotations: [{ category_id: 1, bbox: [10, 20, 30, 40] }] };
  paste(editor, JSON.stringify(coco));
  expect(editor.annotations).toMatchObject([{ isbbox: true, rings: [[[10, 20, 40, 20, 40, 60, 10, 60]]] }]);
});

test("keypoints are matched by the names of their labels", async () => {
  const posed = (labels: string[], ids: number[], annotations: Annotation[]) => {
    const scene = sceneOf(annotations);
    const [cat, dog] = scene.categories;
    const more = { keypoint_labels: labels, keypoint_label_ids: ids, keypoint_colors: labels.map(() => "#00ff00") };
    return new TestEditor({ ...scene, categories: [{ ...cat!, ...more }, dog!] });
  };
  const keypoints = [
    { label: 1, x: 110, y: 120, v: 2 },
    { label: 2, x: 130, y: 140, v: 1 },
  ];
  const from = posed(["nose", "tail"], [1, 2], [annotationOf(1, { rings: [], keypoints })]).press("control", "a");
  const { clipboard } = await from.press("control", "c").settled();
  const to = posed(["tail", "ear"], [7, 8], []);
  paste(to, clipboard);
  expect(to.annotations).toMatchObject([{ rings: [], keypoints: [{ label: 7, x: 130, y: 140, v: 1 }] }]);
});

test("without a selection, Copy, Cut and Duplicate change neither the clipboard nor the image", async () => {
  const editor = new TestEditor(sceneOf([first]));
  await editor.press("control", "c").press("control", "x").press("control", "d").settled();
  expect([editor.clipboard, editor.recorded]).toEqual(["", []]);
  expect(editor.editor.ui.store.getState().message).toBe("No annotation is selected");
});

test("label mode ignores pasted text", () => {
  const editor = new TestEditor().press("l");
  paste(editor, '{"categories": [], "annotations": []}');
  expect(editor.messages).toEqual([]);
});

test("keys that the user has assigned to Paste read the system clipboard", async () => {
  const editor = await selected(first).press("control", "c").settled();
  editor.editor.settings.changeShortcuts({ paste: [["alt", "p"]] });
  await editor.press("control", "v").settled();
  expect(editor.annotations).toHaveLength(1);
  await editor.press("alt", "p").settled();
  expect(editor.annotations).toHaveLength(2);
});

test("annotations that are pasted late leave the outline that was begun since in its annotation", async () => {
  const editor = new TestEditor(sceneOf([first, second])).click(350, 150);
  editor.editor.settings.changeShortcuts({ paste: [["alt", "p"]] });
  const { clipboard } = await selected(second).press("control", "c").settled();
  let allow = (_: string) => {};
  editor.editor.parts.clipboard.read = () => new Promise((resolve) => (allow = resolve));
  const drawnOn = editor.press("alt", "p").selected?.uuid;
  editor.choose("Polygon").clicks([500, 300], [560, 300], [560, 360]);
  allow(clipboard);
  await editor.settled();
  expect(editor.annotations).toHaveLength(3);
  expect([editor.toolState, editor.selected?.uuid]).toEqual(["polygon.drawing", drawnOn]);
});

test.each(["d", "v"])(
  "Ctrl+%s during a computation leaves the annotation that is selected since selected",
  async (key) => {
    const editor = new TestEditor(sceneOf([first, second])).click(350, 150);
    const { clipboard } = await selected(second).press("control", "c").settled();
    const finish = editor.holdBack();
    if (key === "d") editor.press("control", "d");
    else paste(editor, clipboard);
    editor.click(110, 110);
    expect(editor.selected?.id).toBe(1);
    await finish();
    expect(editor.annotations).toHaveLength(3);
    expect(editor.selected?.id).toBe(1);
  },
);
