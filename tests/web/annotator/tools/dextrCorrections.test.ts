import { beforeEach, expect, test } from "vitest";
import type { Rings } from "../../../../shared/entities/shape";
import { SquareResult } from "../testDextr";
import { annotationOf, at, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

/** The extreme points of an object, one on each side of the square from (300, 100) to (400, 200). */
const OBJECT = [
  [350, 100],
  [300, 150],
  [350, 200],
  [400, 150],
] as const;
const TRIANGLE: Rings = [[[150, 100, 200, 200, 100, 180]]];

let editor: TestEditor;
const square = (left = 300, top = 100, side = 100) => new SquareResult(left, top, side);
const rings = () => editor.selected?.rings;
const asked = () => editor.dextr.last.request;

async function answer(result = square()): Promise<void> {
  editor.dextr.last.answer(result);
  await editor.settled();
  await editor.settled();
}

/** Selects the only annotation and begins to refine it. */
function refine(shape: Partial<Parameters<typeof annotationOf>[1]> = { rings: TRIANGLE }): void {
  editor = new TestEditor(sceneOf([annotationOf(1, shape)]));
  editor.editor.selection.selectAnnotation(annotationOf(1));
  editor.press("u");
}

beforeEach(() => {
  editor = new TestEditor(sceneOf()).choose("DEXTR");
});

test("a click outside the outline adds, one inside with Alt removes, and both reach the network", async () => {
  editor.clicks(...OBJECT);
  await answer();
  editor.click(405, 150);
  expect(asked()).toMatchObject({ more: [], added: [[404.5, 149.5]] });
  expect(asked().removed).toBeUndefined();
  await answer(square(300, 100, 200));
  editor.click(350, 150, { alt: true });
  expect(asked()).toMatchObject({ more: [], added: [[404.5, 149.5]], removed: [[349.5, 149.5]] });
  await answer(square(300, 100, 40));
  expect(rings()).toEqual(square(300, 100, 40).rings);
});

test("a click inside without Alt is still a point on the border", async () => {
  editor.clicks(...OBJECT);
  await answer();
  editor.click(310, 150);
  expect(asked().more).toEqual([[309.5, 149.5]]);
  expect(asked().added).toBeUndefined();
});

test("without an outline there is nothing to correct: clicks are points on the border", async () => {
  editor.clicks(...OBJECT);
  await answer(square(300, 100, 0));
  editor.click(405, 150);
  expect(asked().more).toEqual([[404.5, 149.5]]);
});

/** Corrects an outline that is in place, and renames the annotation before the corrected outline arrives. */
async function renameDuringCorrection(isKept: boolean): Promise<void> {
  editor.clicks(...OBJECT);
  await answer();
  editor.click(350, 150, { alt: true });
  if (isKept) editor.press("enter");
  editor.editor.commands.rename(editor.selected!.uuid, "tom");
}

test.each([
  ["", false],
  [" and Enter was pressed", true],
])("a correction arrives although the annotation was renamed meanwhile%s, as a step of its own", async (_, isKept) => {
  await renameDuringCorrection(isKept);
  await answer(square(300, 100, 40));
  expect(editor.selected).toMatchObject({ rings: square(300, 100, 40).rings, metadata: { name: "tom" } });
  editor.press("control", "z");
  expect(editor.selected).toMatchObject({ rings: square().rings, metadata: { name: "tom" } });
  editor.press("control", "z");
  expect(editor.selected).toMatchObject({ rings: square().rings, metadata: {} });
  editor.press("control", "z");
  expect(rings()).toEqual([]);
});

test("a correction that leaves nothing removes the outline although the annotation was renamed meanwhile", async () => {
  await renameDuringCorrection(false);
  await answer(square(300, 100, 0));
  expect(editor.selected).toMatchObject({ rings: [], metadata: { name: "tom" } });
  editor.press("control", "z");
  expect(rings()).toEqual(square().rings);
});

test("a correction is dropped if its outline was undone meanwhile", async () => {
  await renameDuringCorrection(false);
  editor.editor.history.undo();
  editor.editor.history.undo();
  await answer(square(300, 100, 40));
  expect(rings()).toEqual([]);
});

test("undo removes the corrections one by one, and then the outline", async () => {
  editor.clicks(...OBJECT);
  await answer();
  editor.click(403, 150);
  await answer(square(300, 100, 105));
  editor.click(408, 150);
  await answer(square(300, 100, 107));
  editor.press("control", "z");
  await editor.settled();
  expect(rings()).toEqual(square(300, 100, 105).rings);
  editor.press("control", "y");
  await editor.settled();
  expect(rings()).toEqual(square(300, 100, 107).rings);
  editor.press("control", "z").press("control", "z");
  await editor.settled();
  expect(rings()).toEqual(square().rings);
  editor.press("control", "z");
  expect(rings() ?? []).toEqual([]);
  expect(editor.dextr.questions).toHaveLength(3);
});

test("Backspace removes the last correction, and Enter keeps the corrected outline as one undo step", async () => {
  editor.clicks(...OBJECT);
  await answer();
  editor.click(403, 150);
  await answer(square(300, 100, 105));
  editor.click(408, 150);
  await answer(square(300, 100, 107));
  editor.press("backspace");
  await editor.settled();
  expect(rings()).toEqual(square(300, 100, 105).rings);
  editor.press("enter").press("control", "z");
  await editor.settled();
  expect(editor.annotations.flatMap((each) => each.rings ?? [])).toEqual([]);
});

test("corrections are not limited to sixteen, as points on the border are", async () => {
  editor.clicks(...OBJECT);
  await answer();
  for (let i = 0; i < 20; i++) {
    editor.click(401 + i / 4, 150);
    await answer();
  }
  expect(asked().added).toHaveLength(20);
});

test("a correction of a place outside the network's input is refused", async () => {
  editor.clicks(...OBJECT);
  await answer();
  editor.click(450, 150);
  expect(editor.dextr.questions).toHaveLength(1);
  editor.click(405, 150);
  expect(editor.dextr.questions).toHaveLength(2);
});

test("the cursor shows what a click does", async () => {
  const cursors: (string | null)[] = [];
  editor.clicks(...OBJECT);
  await answer();
  const { machine } = editor.editor.toolbox as unknown as {
    machine: { context: { ports: { showCursor(cursor: string | null): void } } };
  };
  machine.context.ports.showCursor = (cursor) => cursors.push(cursor);
  editor.editor.pointer.move(at(405, 150));
  editor.editor.pointer.move({ ...at(350, 150), alt: true });
  editor.editor.pointer.move(at(350, 150));
  expect(cursors[0]).toContain("svg");
  expect(cursors[1]).toContain("svg");
  expect(cursors[1]).not.toBe(cursors[0]);
  expect(cursors[2]).toBe("crosshair");
  editor.editor.pointer.move(at(450, 150));
  expect(cursors[3]).toBe("not-allowed");
});

test("an annotation is refined from its own extreme points, and its shape replaced as one step", async () => {
  refine();
  expect(editor.toolState).toBe("dextr.computing");
  expect(asked()).toMatchObject({
    points: [
      [149.5, 100],
      [100, 179.5],
      [199.5, 199],
      [199, 199.5],
    ],
    more: [],
    padding: 50,
    threshold: 80,
  });
  expect(asked().isBox).toBeUndefined();
  await answer(square(100, 100, 90));
  expect(rings()).toEqual(square(100, 100, 90).rings);
  editor.click(195, 150);
  expect(asked().added).toEqual([[194.5, 149.5]]);
  await answer(square(100, 100, 100));
  editor.press("enter");
  expect(editor.toolState).toBe("select.idle");
  expect(rings()).toEqual(square(100, 100, 100).rings);
  expect(editor.annotations).toHaveLength(1);
  expect(editor.editor.history.store.getState().undo?.action).toBe("Refine");
  editor.press("control", "z");
  expect(rings()).toEqual(TRIANGLE);
});

test("a box is outlined from the middles of its sides, and is a box again after undo", async () => {
  refine({ isbbox: true });
  expect(asked()).toMatchObject({
    isBox: true,
    points: [
      [149.5, 100],
      [100, 149.5],
      [149.5, 199],
      [199, 149.5],
    ],
  });
  await answer(square(110, 110, 80));
  expect(editor.selected).toMatchObject({ isbbox: false, rings: square(110, 110, 80).rings });
  editor.press("control", "z");
  await editor.settled();
  expect(editor.selected).toMatchObject({ isbbox: true, rings: [[SQUARE]] });
});

test("Escape and Backspace without clicks restore the refined shape, and do not delete the annotation", async () => {
  for (const key of ["escape", "backspace"]) {
    refine();
    await answer(square(100, 100, 90));
    editor.click(195, 150);
    await answer(square(100, 100, 100));
    editor.press("backspace");
    await editor.settled();
    expect(rings()).toEqual(square(100, 100, 90).rings);
    editor.press(key);
    await editor.settled();
    expect(rings()).toEqual(TRIANGLE);
    expect(editor.toolState).toBe("select.idle");
  }
});

test("a refinement in which the network fails or finds nothing changes nothing", async () => {
  refine();
  editor.dextr.last.fail(new Error("The network cannot be reached."));
  await editor.settled();
  expect(editor.toolState).toBe("dextr.failed");
  editor.press("enter");
  await editor.settled();
  expect(rings()).toEqual(TRIANGLE);
  expect(editor.recorded).toEqual([]);
  refine();
  await answer(square(100, 100, 0));
  editor.press("enter");
  expect(rings()).toEqual(TRIANGLE);
  expect(editor.recorded).toEqual([]);
});

test("choosing another tool keeps the refined shape, and that tool stays active", async () => {
  refine();
  await answer(square(100, 100, 90));
  editor.choose("Brush");
  expect(editor.toolState).toBe("brush.idle");
  expect(rings()).toEqual(square(100, 100, 90).rings);
});

test("refining again starts from the shape that was found before", async () => {
  refine();
  await answer(square(100, 100, 90));
  editor.press("u");
  await editor.settled();
  expect(editor.dextr.questions).toHaveLength(2);
  expect(asked()).toMatchObject({ isBox: true });
  await answer(square(100, 100, 80));
  editor.press("enter").press("control", "z");
  await editor.settled();
  expect(rings()).toEqual(square(100, 100, 90).rings);
});

test("a locked annotation, one without a shape, and none at all cannot be refined", () => {
  const scene = sceneOf([annotationOf(1, { rings: TRIANGLE }), annotationOf(2, { rings: [] })]);
  editor = new TestEditor(scene).press("u");
  editor.editor.selection.selectAnnotation(annotationOf(2));
  editor.press("u");
  editor.editor.locks.set([uuidOf(1)], true);
  editor.editor.selection.selectAnnotation(annotationOf(1));
  editor.press("u");
  expect(editor.dextr.questions).toEqual([]);
  expect(editor.toolState).toBe("select.idle");
});

test("a mask is refined from its outline", async () => {
  const rle = { size: [480, 640] as [number, number], counts: [100_000, 40, 440, 40, 206_680] };
  refine({ rings: null, rle, iscrowd: false });
  await editor.settled();
  await editor.settled();
  expect(asked().points).toHaveLength(4);
  await answer(square(200, 150, 60));
  expect(rings()).toEqual(square(200, 150, 60).rings);
  editor.press("escape");
  await editor.settled();
  expect(editor.selected).toMatchObject({ rings: null, rle });
});
