import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Rings } from "../../../../shared/entities/shape";
import { SquareResult } from "../testDextr";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

beforeEach(() => {
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("Element", class {});
});
afterEach(() => vi.unstubAllGlobals());

const squareAt = (x: number): Rings => [[[x, 100, x + 50, 100, x + 50, 150, x, 150]]];
const select = ({ editor }: TestEditor, ...numbers: number[]) => editor.selecting.select(numbers.map(uuidOf));
const ids = ({ annotations }: TestEditor) => annotations.map(({ id }) => id);
const lefts = ({ annotations }: TestEditor) => annotations.map(({ rings }) => rings?.[0]?.[0]?.[0]);

/** An editor with annotations 1 to 4, 100 pixels apart, of which DEXTR computes a result for the first. */
function computing(): TestEditor {
  const editor = new TestEditor(
    sceneOf([1, 2, 3, 4].map((n) => annotationOf(n, { rings: squareAt(100 * n), metadata: { name: `n${n}` } }))),
  );
  select(editor, 1);
  return editor.choose("DEXTR").clicks([350, 300], [300, 350], [350, 400], [400, 350]).choose("Select");
}

async function answer(editor: TestEditor): Promise<void> {
  editor.dextr.last.answer(new SquareResult(300, 300, 100));
  await editor.editor.drawing.settled();
  await editor.settled();
}

test("Delete during a computation deletes the annotations that were selected at the key press", async () => {
  const editor = computing();
  select(editor, 2, 3);
  editor.press("delete");
  select(editor, 4);
  await answer(editor);
  expect(ids(editor)).toEqual([1, 4]);
  expect(editor.editor.ui.store.getState().message).toBe("2 annotations deleted");
});

test("Delete during a computation deletes a shape with the result that was pending, and keeps locked ones", async () => {
  const editor = computing();
  select(editor, 1, 2);
  editor.editor.locks.set([uuidOf(2)], true);
  editor.press("delete");
  select(editor, 4);
  await answer(editor);
  expect(ids(editor)).toEqual([2, 3, 4]);
  expect(editor.editor.ui.store.getState().message).toBe("1 annotation deleted, 1 locked");
  editor.press("control", "z");
  expect(editor.editor.document.annotation(uuidOf(1))?.rings).toHaveLength(2);
});

test("an arrow key during a computation moves the annotations that were selected at the key press", async () => {
  const editor = computing();
  select(editor, 2, 3);
  editor.press("alt", "arrowright").press("alt", "arrowright");
  select(editor, 4);
  await answer(editor);
  expect(lefts(editor)).toEqual([100, 202, 302, 400]);
});

test("a key during a computation without a selection changes nothing that is selected later", async () => {
  const editor = computing();
  editor.editor.selection.selectAnnotation(null);
  editor.press("alt", "arrowright").press("control", "d");
  select(editor, 4);
  await answer(editor);
  expect(lefts(editor)).toEqual([100, 200, 300, 400]);
});

test.each([
  ["Copy", ["control", "c"], [1, 2, 3, 4]],
  ["Cut", ["control", "x"], [1, 4]],
])("%s during a computation takes the annotations that were selected at the key press", async (_, keys, left) => {
  const editor = computing();
  select(editor, 2, 3);
  editor.press(...keys);
  select(editor, 4);
  await answer(editor);
  expect(ids(editor)).toEqual(left);
  const { annotations } = JSON.parse(editor.clipboard) as { annotations: { bbox: number[] }[] };
  expect(annotations.map(({ bbox }) => bbox[0])).toEqual([200, 300]);
});

test("Duplicate during a computation copies the annotations that were selected at the key press", async () => {
  const editor = computing();
  select(editor, 2, 3);
  editor.press("control", "d");
  select(editor, 4);
  await answer(editor);
  expect(editor.annotations.slice(4).map(({ metadata }) => metadata.name)).toEqual(["n2", "n3"]);
});

test("a refinement during a computation does not begin on an annotation that was selected later", async () => {
  const editor = computing();
  select(editor, 2);
  editor.editor.outlining.refine();
  const begun = new Promise<void>((resolve) => editor.editor.drawing.after(resolve));
  select(editor, 4);
  editor.dextr.last.answer(new SquareResult(300, 300, 100));
  await begun;
  expect(editor.editor.toolbox.tool.name).toBe("Select");
  expect(editor.dextr.questions.length).toBe(1);
});
