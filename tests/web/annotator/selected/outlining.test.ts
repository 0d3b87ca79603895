import { expect, test } from "vitest";
import { eventually } from "../../../support/eventually";
import { SquareResult } from "../testDextr";
import { annotationOf, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

const box = (id: number, left: number, top: number, side: number, more = {}) =>
  annotationOf(id, {
    isbbox: true,
    rings: [[[left, top, left + side, top, left + side, top + side, left, top + side]]],
    bbox: [left, top, side, side],
    ...more,
  });
const square = (left: number, top: number, side: number) => new SquareResult(left, top, side);

/** Sends the results as responses to the requests to the network, one after the other. */
async function answerAll(editor: TestEditor, results: readonly SquareResult[]): Promise<void> {
  for (const [i, result] of results.entries()) {
    while (editor.dextr.questions.length <= i) await editor.settled();
    editor.dextr.questions[i]!.answer(result);
    await editor.settled();
  }
  await editor.settled();
  await editor.settled();
}

const run = (editor: TestEditor) => editor.editor.outlining.outlineBoxes();
const shapes = (editor: TestEditor) => editor.annotations.map(({ isbbox, rings }) => [isbbox, rings]);
const message = (editor: TestEditor) => editor.editor.ui.store.getState().message;

test("all boxes of the image become outlines as one step; other shapes stay", async () => {
  const editor = new TestEditor(
    sceneOf([
      box(1, 100, 100, 50),
      annotationOf(2),
      box(3, 300, 300, 80),
      box(4, 10, 10, 40, { rings: null, isbbox: false }),
    ]),
  );
  const before = shapes(editor);
  const done = run(editor);
  await answerAll(editor, [square(102, 102, 45), square(301, 301, 78), square(11, 11, 38)]);
  await done;
  expect(editor.dextr.questions.map(({ request }) => request.isBox)).toEqual([true, true, true]);
  expect(editor.dextr.questions[0]?.request.points[0]).toEqual([124.5, 100]);
  expect(shapes(editor)).toEqual([
    [false, square(102, 102, 45).rings],
    [false, [[SQUARE]]],
    [false, square(301, 301, 78).rings],
    [false, square(11, 11, 38).rings],
  ]);
  expect(message(editor)).toBe("3 boxes outlined");
  editor.press("control", "z");
  expect(shapes(editor)).toEqual(before);
});

test("locked, hidden, tiny and crowd boxes are not sent to DEXTR, and a box that no outline fills stays", async () => {
  const editor = new TestEditor(
    sceneOf([
      box(1, 100, 100, 50),
      box(2, 200, 100, 50),
      box(3, 300, 100, 3),
      box(4, 300, 300, 60, { iscrowd: true }),
      box(5, 400, 100, 50),
    ]),
  );
  editor.editor.locks.set([uuidOf(2)], true);
  editor.editor.layers.setHidden([uuidOf(5)], true);
  const before = shapes(editor);
  const done = run(editor);
  await answerAll(editor, [square(110, 110, 12)]);
  await done;
  expect(editor.dextr.questions).toHaveLength(1);
  expect(shapes(editor)).toEqual(before);
  expect(message(editor)).toBe("0 boxes outlined, 2 kept as boxes");
  expect(editor.recorded).toEqual([]);
});

test("only the part of a box inside the image is sent to DEXTR", async () => {
  const editor = new TestEditor(sceneOf([box(1, -20, 100, 50)]));
  const done = run(editor);
  await answerAll(editor, [square(0, 110, 28)]);
  await done;
  expect(editor.dextr.last.request.points).toEqual([
    [14.5, 100],
    [0, 124.5],
    [14.5, 149],
    [29, 124.5],
  ]);
});

test("a box that was moved on this page is outlined where it is now", async () => {
  const editor = new TestEditor(sceneOf([box(1, 100, 100, 50)]));
  editor.editor.commands.reshape(uuidOf(1), box(1, 300, 200, 80).rings, true, "Move");
  const done = run(editor);
  await answerAll(editor, [square(300, 200, 78)]);
  await done;
  expect(editor.dextr.last.request.points[0]).toEqual([339.5, 200]);
  expect(shapes(editor)).toEqual([[false, square(300, 200, 78).rings]]);
});

test("only the selected boxes are outlined if there are several", async () => {
  const editor = new TestEditor(sceneOf([box(1, 100, 100, 50), box(2, 200, 100, 50), box(3, 300, 100, 50)]));
  editor.editor.selecting.select([uuidOf(1), uuidOf(3)]);
  const done = run(editor);
  await answerAll(editor, [square(100, 100, 48), square(300, 100, 48)]);
  await done;
  expect(shapes(editor).map(([isbbox]) => isbbox)).toEqual([false, true, false]);
});

test("a box that was changed while the network ran stays as it is, and a failure changes nothing", async () => {
  const editor = new TestEditor(sceneOf([box(1, 100, 100, 50), box(2, 200, 100, 50)]));
  const done = run(editor);
  while (editor.dextr.questions.length === 0) await editor.settled();
  editor.editor.commands.reshape(uuidOf(1), [[SQUARE]], true, "Move");
  await answerAll(editor, [square(100, 100, 48), square(200, 100, 48)]);
  await done;
  expect(shapes(editor)).toEqual([
    [true, [[SQUARE]]],
    [false, square(200, 100, 48).rings],
  ]);
  const failing = new TestEditor(sceneOf([box(1, 100, 100, 50)]));
  const failed = run(failing);
  while (failing.dextr.questions.length === 0) await failing.settled();
  failing.dextr.last.fail(new Error("The network cannot be reached."));
  await failed;
  expect(failing.toastTitles).toEqual(["DEXTR"]);
  expect(failing.recorded).toEqual([]);
});

test("a box that was just drawn is outlined, even if the server stores it while the network runs", async () => {
  const editor = new TestEditor().choose("BBox").clicks([100, 100], [150, 150]);
  const drawn = [...editor.recorded];
  const done = run(editor);
  await eventually(() => expect(editor.dextr.questions).toHaveLength(1));
  for (const [i, edit] of drawn.entries()) editor.respond(edit, { status: "applied", id: 1, revision: i + 1 });
  await answerAll(editor, [square(102, 102, 45)]);
  await done;
  expect(shapes(editor)).toEqual([[false, square(102, 102, 45).rings]]);
  expect(message(editor)).toBe("1 box outlined");
  expect(editor.recorded.at(-1)).toMatchObject({ action: "modify", base: drawn.length });
});

test("boxes are outlined if the image is reloaded while the network runs, unless the reload has changed them", async () => {
  const before = [box(1, 100, 100, 50), box(2, 200, 100, 50, { rings: null, isbbox: false }), box(3, 300, 100, 50)];
  const editor = new TestEditor(sceneOf(before));
  const done = run(editor);
  await eventually(() => expect(editor.dextr.questions).toHaveLength(1));
  const after = [before[0]!, before[1]!, box(3, 310, 100, 50, { revision: 4 })];
  editor.editor.document.replace(structuredClone(sceneOf(after)));
  await answerAll(editor, [square(100, 100, 48), square(200, 100, 48), square(300, 100, 48)]);
  await done;
  expect(shapes(editor).map(([isbbox, rings]) => [isbbox, rings])).toEqual([
    [false, square(100, 100, 48).rings],
    [false, square(200, 100, 48).rings],
    [true, after[2]!.rings],
  ]);
  expect(message(editor)).toBe("2 boxes outlined, 1 kept as a box");
});

test("a box that is locked while the network runs stays, and the others are outlined", async () => {
  const editor = new TestEditor(sceneOf([box(1, 100, 100, 50), box(2, 200, 100, 50)]));
  const done = run(editor);
  await eventually(() => expect(editor.dextr.questions).toHaveLength(1));
  editor.editor.locks.set([uuidOf(1)], true);
  await answerAll(editor, [square(100, 100, 48), square(200, 100, 48)]);
  await done;
  expect(shapes(editor).map(([isbbox]) => isbbox)).toEqual([true, false]);
  expect(message(editor)).toBe("1 box outlined, 1 kept as a box");
});

test("outlines that the page refuses are not reported as made", async () => {
  const editor = new TestEditor(sceneOf([box(1, 100, 100, 50)]));
  const done = run(editor);
  await eventually(() => expect(editor.dextr.questions).toHaveLength(1));
  editor.editor.document.guard(() => {
    editor.editor.ui.showMessage("Refused");
    return true;
  });
  await answerAll(editor, [square(100, 100, 48)]);
  await done;
  expect(shapes(editor).map(([isbbox]) => isbbox)).toEqual([true]);
  expect(message(editor)).toBe("Refused");
});

const LEFT = ["info: Outlining stopped, because the image was left. Its boxes are unchanged."];

test("outlining stops when the image is left, with one message, and changes nothing", async () => {
  const editor = new TestEditor(sceneOf([box(1, 100, 100, 50), box(2, 200, 100, 50), box(3, 300, 100, 50)]));
  const done = run(editor);
  await answerAll(editor, [square(100, 100, 48)]);
  await eventually(() => expect(editor.dextr.questions).toHaveLength(2));
  editor.editor.leave();
  expect(editor.dextr.last.signal.aborted).toBe(true);
  editor.editor.close();
  await done;
  expect(editor.dextr.questions).toHaveLength(2);
  expect(editor.recorded).toEqual([]);
  expect(editor.messages).toEqual(LEFT);
});

test("outlining that waits for a stroke does not begin after the image is left", async () => {
  const editor = new TestEditor(sceneOf([box(1, 100, 100, 50)])).click(125, 125);
  let release = () => {};
  const computed = new Promise<void>((resolve) => (release = resolve));
  void editor.editor.drawing.combine("unite", () => computed.then(() => null));
  const done = run(editor);
  editor.editor.leave();
  release();
  await done;
  expect(editor.dextr.questions).toEqual([]);
  expect(editor.messages).toEqual(LEFT);
});

test("an outline that is computed after the image is left is not stored", async () => {
  const editor = new TestEditor(sceneOf([box(1, 100, 100, 50)]));
  const done = run(editor);
  await eventually(() => expect(editor.dextr.questions).toHaveLength(1));
  editor.dextr.last.answer(square(100, 100, 48));
  editor.editor.leave();
  await done;
  expect(shapes(editor)[0]?.[0]).toBe(true);
  expect(editor.recorded).toEqual([]);
});

test("leaving an image without outlining shows no message", async () => {
  const editor = new TestEditor(sceneOf([box(1, 100, 100, 50)]));
  const done = run(editor);
  await answerAll(editor, [square(100, 100, 48)]);
  await done;
  editor.editor.close();
  expect(editor.messages).toEqual([]);
});

test("a mask that is found malformed after its image is left is not reported", async () => {
  const malformed = { size: [480, 640] as [number, number], counts: [1, 2, 3] };
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: null, rle: malformed })]));
  editor.editor.selection.selectAnnotation(annotationOf(1));
  editor.press("u");
  editor.editor.leave();
  await editor.settled();
  expect(editor.messages).toEqual([]);
});

test("a malformed mask cannot be refined, and the reason is shown", async () => {
  const malformed = { size: [480, 640] as [number, number], counts: [1, 2, 3] };
  const editor = new TestEditor(sceneOf([annotationOf(1, { rings: null, rle: malformed })]));
  editor.editor.selection.selectAnnotation(annotationOf(1));
  editor.press("u");
  await eventually(() => expect(editor.messages).toEqual(["error: Counts sum to 6, not to 480 x 640"]));
  expect(editor.toastTitles).toEqual(["DEXTR"]);
  expect(editor.toolState).toBe("select.idle");
});

test("nothing happens without a box", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  await run(editor);
  expect(message(editor)).toBe("There is no box to outline");
});
