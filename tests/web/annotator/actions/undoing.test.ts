import { expect, test } from "vitest";
import type { Rings } from "../../../../shared/entities/shape";
import { SquareResult } from "../testDextr";
import { annotationOf, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

/** An editor with annotation 1 selected and renamed, which is the last step, and DEXTR running on it. */
function computing(): TestEditor {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  editor.editor.commands.rename(uuidOf(1), "tom");
  return editor.choose("DEXTR").clicks([350, 100], [300, 150], [350, 200], [400, 150]).choose("Select");
}

async function answer(editor: TestEditor): Promise<void> {
  editor.dextr.last.answer(new SquareResult(300, 100, 100));
  await editor.editor.drawing.settled();
  await editor.settled();
}

/** Draws a box as a new annotation, which is stored at once. */
function drawBox({ editor }: TestEditor): void {
  editor.selection.selectAnnotation(null);
  editor.commands.create(1, { rings: [[[10, 10, 60, 10, 60, 60, 10, 60]]], isbbox: true });
}

const first = ({ editor }: TestEditor) => editor.document.annotation(uuidOf(1));
const message = ({ editor }: TestEditor) => editor.ui.store.getState().message;

test("a held undo key during a computation reverts its result, but no earlier step", async () => {
  const editor = computing();
  for (let i = 0; i < 5; i++) editor.editor.shortcuts.pressed(new Set(["control", "z"]), i > 0);
  expect(message(editor)).toBe("Please wait until the last drawing has been computed");
  await answer(editor);
  expect(first(editor)).toMatchObject({ rings: [[SQUARE]], metadata: { name: "tom" } });
  editor.press("control", "z");
  expect(first(editor)?.metadata).toEqual({});
});

test("undo during a computation reverts its result, and never what was drawn after the key press", async () => {
  const editor = computing().press("control", "z").press("control", "z");
  drawBox(editor);
  await answer(editor);
  expect(editor.annotations).toMatchObject([{ rings: [[SQUARE]], metadata: { name: "tom" } }, { isbbox: true }]);
});

test("undo during a computation without a result does not revert what was drawn after the key press", async () => {
  const editor = computing().press("control", "z");
  drawBox(editor);
  editor.dextr.last.fail(new Error("The network cannot be reached."));
  await editor.editor.drawing.settled();
  await editor.settled();
  expect(editor.annotations).toMatchObject([{ metadata: { name: "tom" } }, { isbbox: true }]);
});

test("each pending gesture can be undone once, the last one first", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  editor.editor.commands.rename(uuidOf(1), "tom");
  const add = (x: number) => {
    const piece: Rings = [[[x, 0, x + 9, 0, x + 9, 9]]];
    return editor.editor.drawing.combine("unite", async (shape) => [...shape, ...piece]);
  };
  const done = [add(0), add(300)];
  editor.press("control", "z").press("control", "z").press("control", "z");
  await Promise.all(done);
  await editor.settled();
  expect(first(editor)).toMatchObject({ rings: [[SQUARE]], metadata: { name: "tom" } });
});

test("undo during a computation reverts a queued command, and redo restores it", async () => {
  const editor = computing();
  editor.press("alt", "arrowright").press("control", "z");
  await answer(editor);
  expect(first(editor)?.rings).toHaveLength(2);
  expect(first(editor)?.rings?.[0]?.[0]?.[0]).toBe(100);
  const again = computing().press("control", "z").press("control", "shift", "z");
  await answer(again);
  expect(first(again)?.rings).toHaveLength(2);
});

test("undo during a computation does not revert a command that was given after it", async () => {
  const editor = computing().press("control", "z");
  editor.press("alt", "arrowright");
  await answer(editor);
  expect(first(editor)?.rings).toEqual([[[101, 100, 201, 100, 201, 200, 101, 200]]]);
});

test.each<[string, (editor: TestEditor) => Promise<void>]>([
  ["a merge", ({ editor }) => editor.operations.merge([uuidOf(1), uuidOf(2)])],
  [
    "a simplification",
    ({ editor }) => {
      editor.simplifying.begin();
      return editor.simplifying.apply();
    },
  ],
  ["an outline", ({ editor }) => editor.drawing.polygon([[[0, 0, 9, 0, 9, 9]]], true)],
])("undo during %s reverts it, even if a box was drawn after the key press", async (_, begin) => {
  const dense = [100, 100, 150, 100, 200, 100, 200, 200, 100, 200];
  const other = [300, 300, 400, 300, 400, 400, 300, 400];
  const scene = sceneOf([annotationOf(1, { rings: [[dense]] }), annotationOf(2, { rings: [[other]] })]);
  const editor = new TestEditor(scene).click(150, 150);
  const done = begin(editor);
  editor.press("control", "z");
  drawBox(editor);
  await done;
  await editor.settled();
  expect(editor.annotations.map(({ rings }) => rings)).toEqual([[[dense]], [[other]], expect.anything()]);
  expect(editor.annotations[2]?.isbbox).toBe(true);
});
