import { expect, test } from "vitest";
import type { Annotation } from "../../../../shared/entities/annotation";
import { annotationOf, at, sceneOf, TestEditor, uuidOf } from "../testEditor";

const squareAt = (x: number, y: number): number[] => [x, y, x + 50, y, x + 50, y + 50, x, y + 50];

/** An editor with annotations 1 to 3 selected, 100 pixels apart, from (20, 100) on; each is 50 pixels wide and high. */
function three(fields: Partial<Annotation>[] = []): TestEditor {
  const annotations = [1, 2, 3].map((n, i) =>
    annotationOf(n, { rings: [[squareAt(100 * i + 20, 100)]], ...fields[i] }),
  );
  return new TestEditor(sceneOf(annotations)).press("control", "a");
}

/** Returns the upper left corner of each annotation. */
const corners = ({ annotations }: TestEditor) => annotations.map(({ rings }) => rings?.[0]?.[0]?.slice(0, 2));
const START = [
  [20, 100],
  [120, 100],
  [220, 100],
];

test("Delete deletes all selected annotations in one step, and undo selects them again", () => {
  const editor = three().press("delete");
  expect(editor.annotations).toEqual([]);
  expect(editor.recorded).toHaveLength(3);
  expect(editor.editor.history.store.getState().undo).toEqual({ name: "3 annotations", action: "Delete" });
  expect(editor.editor.selection.state.annotation).toBeNull();
  editor.press("control", "z");
  expect(editor.annotations.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(editor.editor.selection.state.all.size).toBe(3);
});

test("dragging one of several selected annotations moves all in one step", () => {
  const editor = three().drag([140, 120], [150, 135], [160, 140]);
  expect(corners(editor)).toEqual(START.map(([x, y]) => [x! + 20, y! + 20]));
  expect(editor.recorded).toHaveLength(3);
  expect(editor.editor.selection.state.all.size).toBe(3);
  editor.press("control", "z");
  expect(corners(editor)).toEqual(START);
});

test("a move stops at the edge of the image and keeps the distances between annotations", () => {
  const editor = three().drag([140, 120], [0, 400], [-100, 900]);
  expect(corners(editor)).toEqual(START.map(([x]) => [x! - 20, 430]));
});

test("a cancelled move leaves the annotations unchanged", () => {
  const editor = three();
  editor.editor.pointer.down(at(140, 120));
  editor.move(300, 300).press("escape");
  expect(editor.toolState).toBe("select.idle");
  expect(corners(editor)).toEqual(START);
  expect(editor.recorded).toEqual([]);
});

test("Alt and arrow keys move by one image pixel, with Shift by ten, and one undo reverts a series", () => {
  const editor = three();
  editor.press("alt", "arrowright").press("alt", "arrowright").press("alt", "shift", "arrowdown");
  expect(corners(editor)).toEqual(START.map(([x, y]) => [x! + 2, y! + 10]));
  editor.press("control", "z");
  expect(corners(editor)).toEqual(START);
  editor.press("control", "shift", "z");
  expect(corners(editor)).toEqual(START.map(([x, y]) => [x! + 2, y! + 10]));
});

test("two series of arrow keys with another command in between are two steps", () => {
  const editor = three().press("alt", "arrowright").press("2").press("alt", "arrowright").press("control", "z");
  expect(corners(editor)).toEqual(START.map(([x, y]) => [x! + 1, y!]));
});

test("a move also moves placed keypoints and the bounding box of an annotation imported without a shape", () => {
  const keypoints = [
    { label: 1, x: 30, y: 110, v: 2 },
    { label: 2, x: 0, y: 0, v: 0 },
  ];
  const editor = three([{ keypoints }, { rings: null, bbox: [120, 100, 50, 50] }]).press("alt", "arrowright");
  expect(editor.annotations[0]?.keypoints).toEqual([{ label: 1, x: 31, y: 110, v: 2 }, keypoints[1]]);
  expect(editor.annotations[1]).toMatchObject({ isbbox: true, rings: [[[121, 100, 171, 100, 171, 150, 121, 150]]] });
});

test("a mask that is not traced yet stays where it is, and a message says so", () => {
  const rle = { size: [480, 640], counts: [0, 4, 480 * 640 - 4] } as const;
  const editor = three([{ rings: null, rle: { size: [...rle.size], counts: [...rle.counts] } }]);
  editor.press("alt", "arrowright");
  expect(editor.recorded.map((edit) => "target" in edit && edit.target)).toEqual([uuidOf(2), uuidOf(3)]);
  expect(editor.editor.ui.store.getState().message).toMatch(/^1 annotation cannot be moved yet/);
});

test("an annotation that another user changes during a move becomes a conflict, and the others are moved", () => {
  const editor = three();
  editor.editor.pointer.down(at(140, 120));
  editor.move(150, 120);
  const change = { subject: "annotation", subject_id: uuidOf(1), revision: 4, action: "modify" } as const;
  const fields = { rings: [[squareAt(300, 300)]] };
  const given = { ...change, fields, image_revision: 6, edit: null, client: "other", user: "bob" };
  editor.editor.document.applyRemote([given], 6);
  editor.editor.pointer.up(at(150, 120));
  const bases = editor.recorded.map(({ base, before }) => [base, "rings" in before && before.rings?.[0]?.[0]?.[0]]);
  expect(bases).toEqual([
    [3, 20],
    [3, 120],
    [3, 220],
  ]);
});

test("annotations that another user deletes during a move do not stop it, unless none is left", () => {
  const editor = three();
  const remove = (n: number, revision: number) => {
    const change = { subject: "annotation", subject_id: uuidOf(n), revision: 4, action: "delete" } as const;
    const given = { ...change, fields: {}, image_revision: revision, edit: null, client: "other", user: "bob" };
    editor.editor.document.applyRemote([given], revision);
  };
  editor.editor.pointer.down(at(140, 120));
  editor.move(150, 120);
  remove(1, 6);
  expect(editor.toolState).toBe("select.moving");
  editor.editor.pointer.up(at(150, 120));
  expect(corners(editor)).toEqual([
    [130, 100],
    [230, 100],
  ]);
  editor.press("control", "a");
  editor.editor.pointer.down(at(140, 120));
  editor.move(170, 120);
  remove(2, 7);
  remove(3, 8);
  expect(editor.toolState).toBe("select.idle");
});

test("a digit key moves all selected annotations into a category in one step", () => {
  const editor = three().press("2");
  expect(editor.annotations.map(({ category_id }) => category_id)).toEqual([2, 2, 2]);
  expect(editor.editor.selection.state).toMatchObject({ category: 2 });
  expect(editor.editor.selection.state.all.size).toBe(3);
  expect(editor.editor.ui.store.getState().message).toBe("3 annotations are now in dog");
  editor.press("control", "z");
  expect(editor.annotations.map(({ category_id }) => category_id)).toEqual([1, 1, 1]);
});

test("Shift+H hides the selected annotations, then shows and selects them again", () => {
  const editor = three().press("shift", "h");
  const { layers, selection } = editor.editor;
  expect(editor.annotations.filter((annotation) => layers.isVisible(annotation))).toEqual([]);
  expect(selection.state.annotation).toBeNull();
  editor.press("shift", "h");
  expect(editor.annotations.filter((annotation) => layers.isVisible(annotation))).toHaveLength(3);
  expect(selection.state.all.size).toBe(3);
});

test("fields of all selected annotations change in one step, with edits only where the value differs", () => {
  const editor = three([{ color: "#0000ff" }]);
  editor.editor.selected.change(() => ({ color: "#0000ff" }), "Change");
  expect(editor.annotations.map(({ color }) => color)).toEqual(["#0000ff", "#0000ff", "#0000ff"]);
  expect(editor.recorded).toHaveLength(2);
  editor.press("control", "z");
  expect(editor.annotations.map(({ color }) => color)).toEqual(["#0000ff", "#ff0000", "#ff0000"]);
});

test("F2 opens the settings of all selected annotations", () => {
  expect(three().press("f2").editor.ui.store.getState().dialog).toEqual({ kind: "annotations" });
});

test("an unused annotation that is selected with others is deleted only once", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).press(" ").press("control", "a").press("delete");
  expect(editor.annotations).toEqual([]);
  const deleted = editor.recorded.filter(({ action }) => action === "delete");
  expect(new Set(deleted.map((edit) => "target" in edit && edit.target)).size).toBe(deleted.length);
});

test("undo and redo of a change of several annotations say what was undone, whatever is selected", () => {
  const editor = three();
  const shown = () => editor.editor.ui.store.getState();
  editor.editor.attributes.set("occluded", true);
  editor.press("escape").click(40, 120).press("control", "z");
  expect(shown()).toMatchObject({ message: "3 annotations: Change occluded undone", isOnlyAnnounced: false });
  editor.press("escape").press("control", "y");
  expect(shown()).toMatchObject({ message: "3 annotations: Change occluded redone", isOnlyAnnounced: false });
  expect(editor.editor.selection.state.all.size).toBe(3);
});
