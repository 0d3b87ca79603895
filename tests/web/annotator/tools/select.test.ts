import { expect, test } from "vitest";
import { annotationOf, at, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

const BIG = [50, 50, 300, 50, 300, 300, 50, 300];

test("a click selects the annotation under the pointer and expands its category", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  expect(editor.selected?.id).toBe(1);
  expect(editor.editor.layers.state.expanded.has(1)).toBe(true);
});

test("a double click opens the settings of the annotation under the pointer, and moves nothing", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: [[BIG]] }), annotationOf(2)]));
  const dialog = () => editor.editor.ui.store.getState().dialog;
  editor.click(150, 150);
  expect(dialog()).toBeNull();
  editor.click(150, 150, { clicks: 2 });
  expect(dialog()).toEqual({ kind: "annotation", uuid: uuidOf(2) });
  expect(editor.recorded).toEqual([]);
  editor.editor.ui.close();
  editor.click(400, 400).click(400, 400, { clicks: 2 });
  expect(dialog()).toBeNull();
});

test("a click beside all shapes deselects", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).click(400, 400);
  expect(editor.selected).toBeNull();
});

test("a click on overlapping shapes selects the smallest, even if the large one is selected", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: [[BIG]] }), annotationOf(2)]));
  editor.click(60, 60);
  expect(editor.selected?.id).toBe(1);
  editor.click(150, 150);
  expect(editor.selected?.id).toBe(2);
});

test("a click in a hole selects the shape below it", () => {
  const hollow = annotationOf(1, { rings: [[BIG, SQUARE]] });
  const editor = new TestEditor(sceneOf([hollow])).click(150, 150);
  expect(editor.selected).toBeNull();
});

test("dragging a vertex moves it, as one undo step", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  editor.drag([101, 99], [90, 90], [80, 85]);
  expect(editor.selected?.rings).toEqual([[[80, 85, 200, 100, 200, 200, 100, 200]]]);
  editor.press("control", "z");
  expect(editor.selected?.rings).toEqual([[SQUARE]]);
  editor.press("control", "shift", "z");
  expect(editor.selected?.rings?.[0]?.[0]?.slice(0, 2)).toEqual([80, 85]);
});

test("dragging the outline inserts a vertex and moves it", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).drag([150, 101], [150, 80]);
  expect(editor.selected?.rings).toEqual([[[100, 100, 150, 80, 200, 100, 200, 200, 100, 200]]]);
});

test("a click on the outline inserts a vertex there", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).click(150, 102);
  expect(editor.selected?.rings).toEqual([[[100, 100, 150, 100, 200, 100, 200, 200, 100, 200]]]);
});

test("Shift+click deletes a vertex, but never from the last triangle", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  editor.click(100, 100, { shift: true });
  expect(editor.selected?.rings).toEqual([[[200, 100, 200, 200, 100, 200]]]);
  editor.click(200, 200, { shift: true });
  expect(editor.selected?.rings).toEqual([[[200, 100, 200, 200, 100, 200]]]);
});

test("Shift+click on a vertex of a triangular hole fills the hole", () => {
  const hole = [120, 120, 180, 120, 150, 170];
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: [[SQUARE, hole]] })])).click(110, 190);
  editor.click(150, 170, { shift: true });
  expect(editor.selected?.rings).toEqual([[SQUARE]]);
});

test("dragging inside moves the whole shape, but not out of the image", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).drag([150, 150], [160, 170]);
  expect(editor.selected?.rings).toEqual([[[110, 120, 210, 120, 210, 220, 110, 220]]]);
  editor.drag([150, 150], [-900, 170]);
  expect(editor.selected?.rings?.[0]?.[0]?.slice(0, 2)).toEqual([0, 140]);
});

test("dragging a shape that is not selected pans the view", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  expect(editor.editor.pointer.down(at(150, 150))).toBe(false);
});

test("dragging a corner of a box moves two sides, dragging a side moves one, and the box stays a box", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { isbbox: true })])).click(150, 150);
  editor.drag([100, 100], [80, 90]);
  expect(editor.selected).toMatchObject({ isbbox: true, rings: [[[80, 90, 200, 90, 200, 200, 80, 200]]] });
  editor.drag([140, 90], [140, 60]);
  expect(editor.selected?.rings).toEqual([[[80, 60, 200, 60, 200, 200, 80, 200]]]);
});

test("an annotation imported with only a bounding box is a box when selected", () => {
  const boxOnly = annotationOf(1, { rings: null, bbox: [100, 100, 50, 40] });
  const editor = new TestEditor(sceneOf([boxOnly])).click(120, 120);
  expect(editor.recorded).toHaveLength(0);
  editor.drag([150, 140], [160, 150]);
  expect(editor.selected).toMatchObject({ isbbox: true, rings: [[[100, 100, 160, 100, 160, 150, 100, 150]]] });
  editor.press("control", "z");
  expect(editor.selected).toMatchObject({ isbbox: false, rings: null });
});

test("a cancelled gesture leaves the shape unchanged", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  editor.editor.pointer.down(at(100, 100));
  editor.move(50, 50);
  editor.editor.pointer.abort();
  expect(editor.selected?.rings).toEqual([[SQUARE]]);
  expect(editor.recorded).toHaveLength(0);
  expect(editor.toolState).toBe("select.idle");
});

/** Applies another user's change of the shape, on revision 3 of the annotation. */
function reshapeElsewhere(editor: TestEditor, rings: number[][][]): void {
  const change = {
    image_revision: 6,
    subject: "annotation",
    subject_id: uuidOf(1),
    revision: annotationOf(1).revision + 1,
    action: "modify",
    fields: { rings },
    edit: null,
    client: "somebody-else",
    user: "bob",
  } as const;
  editor.editor.document.applyRemote([change], 6);
}

test("a drag continues if another user changes the shape, and its edit is based on the shape that was dragged", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { isbbox: true })])).click(150, 150);
  const { revision } = editor.selected!;
  editor.editor.pointer.down(at(100, 100));
  editor.move(80, 90);
  reshapeElsewhere(editor, [[[300, 300, 400, 300, 400, 400, 300, 400]]]);
  expect(editor.toolState).toBe("select.dragging");
  editor.move(80, 60);
  editor.editor.pointer.up(at(80, 60));
  const [edit] = editor.recorded;
  expect(edit).toMatchObject({ base: revision, before: { rings: [[SQUARE]] } });
  expect(editor.selected?.rings).toEqual([[[80, 60, 200, 60, 200, 200, 80, 200]]]);
  // A further edit builds on the same revision, so that it is refused together with the first.
  editor.drag([80, 60], [70, 60]);
  expect(editor.recorded[1]).toMatchObject({ base: revision });
});

test("a remote deletion during a drag is reported, and the annotation can be restored", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  editor.editor.pointer.down(at(150, 150));
  editor.move(180, 190);
  const { revision } = annotationOf(1);
  editor.editor.document.applyRemote(
    [
      {
        ...{ image_revision: 6, subject: "annotation", subject_id: uuidOf(1), revision: revision + 1 },
        ...{ action: "delete", fields: {}, edit: null, client: "somebody-else", user: "bob" },
      },
    ],
    6,
  );
  expect(editor.toolState).toBe("select.idle");
  expect(editor.messages).toEqual([
    "info: Another user deleted the annotation that you were changing, and your unfinished drawing with it.",
  ]);
  editor.actions[0]?.onClick();
  expect(editor.annotations).toMatchObject([{ uuid: uuidOf(1), rings: [[SQUARE]] }]);
});

test("repeated clicks at one place select one overlapping annotation after another", () => {
  const middle = annotationOf(3, { rings: [[[90, 90, 210, 90, 210, 210, 90, 210]]] });
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: [[BIG]] }), annotationOf(2), middle]));
  const ids = [0, 1, 2, 3, 4].map(() => editor.click(150, 150).selected?.id);
  expect(ids).toEqual([2, 3, 1, 2, 3]);
  expect(editor.click(152, 151).selected?.id).toBe(1);
  expect(editor.click(170, 170).selected?.id).toBe(2);
  expect(editor.recorded).toEqual([]);
});

test("a double click opens the annotation that was selected before, not the next one at that place", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: [[BIG]] }), annotationOf(2)]));
  editor.click(150, 150);
  expect(editor.click(150, 150).selected?.id).toBe(1);
  editor.click(150, 150).click(150, 150, { clicks: 2 });
  expect(editor.editor.ui.store.getState().dialog).toEqual({ kind: "annotation", uuid: uuidOf(1) });
});

test("while all shapes are hidden, a click selects none of them, and a tool still draws", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.editor.hideShapes(true);
  editor.click(150, 150);
  expect(editor.selected).toBeNull();
  editor.choose("BBox").drag([300, 300], [350, 350]);
  expect(editor.annotations).toHaveLength(2);
  editor.choose("Select").press("escape");
  editor.editor.hideShapes(false);
  editor.click(150, 150);
  expect(editor.selected?.id).toBe(1);
});

test("with Shift, a press on a vertex deletes it on release; a second finger before that leaves it", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  const finger = { ...at(112, 100), shift: true, kind: "touch" as const };
  editor.editor.pointer.down(finger);
  editor.editor.pointer.abort();
  expect(editor.selected?.rings).toEqual([[SQUARE]]);
  expect(editor.recorded).toEqual([]);
  editor.editor.pointer.down(finger);
  editor.editor.pointer.up({ ...finger, clicks: 0 });
  expect(editor.selected?.rings).toEqual([[[200, 100, 200, 200, 100, 200]]]);
  expect(editor.editor.history.store.getState().undo?.action).toBe("Delete Point");
});
