import { expect, test } from "vitest";
import { ringsContain } from "../../../../shared/geometry/polygons";
import { SquareResult } from "../testDextr";
import { annotationOf, at, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

const OBJECT = [
  [350, 100],
  [300, 150],
  [350, 200],
  [400, 150],
] as const;
const OTHER = [100, 300, 200, 300, 200, 400, 100, 400];

/** An editor with annotation 1 selected, and DEXTR running on it while the Select tool is active. */
function computing(): TestEditor {
  const editor = new TestEditor(sceneOf([annotationOf(1), annotationOf(2, { rings: [[OTHER]] })])).click(150, 150);
  return editor
    .choose("DEXTR")
    .clicks(...OBJECT)
    .choose("Select");
}

async function answer(editor: TestEditor): Promise<void> {
  editor.dextr.last.answer(new SquareResult(300, 100, 100));
  await editor.editor.drawing.settled();
}

const message = ({ editor }: TestEditor) => editor.ui.store.getState().message;
const first = ({ editor }: TestEditor) => editor.document.annotation(uuidOf(1))?.rings ?? [];
const second = ({ editor }: TestEditor) => editor.document.annotation(uuidOf(2))?.rings;

test("a shape that is still being computed cannot be dragged, and the result is not lost", async () => {
  const editor = computing();
  editor.editor.pointer.down(at(100, 100));
  editor.move(80, 90);
  expect(editor.toolState).toBe("select.idle");
  expect(message(editor)).toBe("The shape cannot be changed yet, because it is still being computed");
  await answer(editor);
  editor.editor.pointer.up(at(80, 90));
  expect(ringsContain(first(editor), 350, 150) && ringsContain(first(editor), 150, 150)).toBe(true);
  editor.drag([100, 100], [80, 90]);
  expect(ringsContain(first(editor), 350, 150) && ringsContain(first(editor), 85, 93)).toBe(true);
  editor.press("control", "z").press("control", "z");
  expect(first(editor)).toEqual([[SQUARE]]);
  expect(editor.messages).toEqual([]);
});

test("no vertex is deleted from a shape that is still being computed", async () => {
  const editor = computing().click(100, 100, { shift: true });
  expect(first(editor)).toEqual([[SQUARE]]);
  await answer(editor);
  editor.click(100, 100, { shift: true });
  expect(ringsContain(first(editor), 350, 150)).toBe(true);
  expect(ringsContain(first(editor), 110, 110)).toBe(false);
});

test("a shape that is still being computed is left out of a move, with a message", async () => {
  const editor = computing();
  editor.editor.selecting.select([uuidOf(1), uuidOf(2)]);
  editor.editor.pointer.down(at(150, 350));
  editor.move(160, 360);
  expect(message(editor)).toBe("1 annotation cannot be moved yet, because its shape is still being computed");
  await answer(editor);
  editor.editor.pointer.up(at(160, 360));
  expect(second(editor)).toEqual([[OTHER.map((value) => value + 10)]]);
  expect(ringsContain(first(editor), 350, 150) && ringsContain(first(editor), 103, 103)).toBe(true);
});

test("an arrow key moves a shape in turn, even if a later gesture on it is pending", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  const add = (ring: number[]) => editor.editor.drawing.combine("unite", async (shape) => [...shape, [ring]]);
  void add([0, 0, 9, 0, 9, 9]);
  editor.press("alt", "arrowright");
  await add([300, 0, 309, 0, 309, 9]);
  const corners = first(editor).map((polygon) => polygon[0]?.slice(0, 2));
  expect(corners).toEqual([
    [101, 100],
    [1, 0],
    [300, 0],
  ]);
});

test("a drag ends, with a message, if the user's own edit replaces the shape", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  editor.editor.pointer.down(at(100, 100));
  editor.move(80, 90).press("alt", "arrowright");
  expect(editor.toolState).toBe("select.idle");
  expect(message(editor)).toBe("The annotation was changed during the drag. Drag again");
  editor.editor.pointer.up(at(80, 90));
  expect(first(editor)).toEqual([[[101, 100, 201, 100, 201, 200, 101, 200]]]);
  editor.press("control", "z");
  expect(first(editor)).toEqual([[SQUARE]]);
  expect(editor.messages).toEqual([]);
});

test("a move ends, with a message, if the user's own late outline replaces one of the shapes", async () => {
  const editor = new TestEditor(
    sceneOf([annotationOf(1, { isbbox: true }), annotationOf(2, { rings: [[OTHER]] })]),
  ).press("control", "a");
  const done = editor.editor.outlining.outlineBoxes();
  while (editor.dextr.questions.length === 0) await editor.settled();
  editor.editor.pointer.down(at(150, 350));
  editor.move(160, 360);
  expect(editor.toolState).toBe("select.moving");
  const found = new SquareResult(102, 102, 95);
  editor.dextr.last.answer(found);
  await done;
  expect(editor.toolState).toBe("select.idle");
  editor.editor.pointer.up(at(160, 360));
  expect(first(editor)).toEqual(found.rings);
  expect(second(editor)).toEqual([[OTHER]]);
});
