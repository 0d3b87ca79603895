import { beforeEach, expect, test } from "vitest";
import type { Rings } from "../../../../shared/entities/shape";
import { ringsContain } from "../../../../shared/geometry/polygons";
import { SquareResult } from "../testDextr";
import { annotationOf, at, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

/** The extreme points of an object, one on each side of the square from (300, 100) to (400, 200). */
const OBJECT = [
  [350, 100],
  [300, 150],
  [350, 200],
  [400, 150],
] as const;
const FOUND = [300, 100, 400, 100, 400, 200, 300, 200];

let editor: TestEditor;
const begin = (scene = sceneOf()) => new TestEditor(scene).choose("DEXTR");
const onSquare = () => new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).choose("DEXTR");
const square = (left = 300, top = 100, side = 100) => new SquareResult(left, top, side);
const has = (x: number, y: number) => ringsContain(editor.selected?.rings ?? [], x, y);
/** Returns true if any annotation has the point. */
const anyHas = (x: number, y: number) => editor.annotations.some(({ rings: found }) => ringsContain(found ?? [], x, y));
const rings = () => editor.selected?.rings;
const undoName = () => editor.editor.history.store.getState().undo?.action;
/** Returns the edits of shapes. */
const changes = () => editor.recorded.filter(({ action }) => action === "modify");

/** Sends the network's response, and waits for its effects. */
async function answer(result: SquareResult = square()): Promise<SquareResult> {
  editor.dextr.last.answer(result);
  await editor.settled();
  await editor.settled();
  return result;
}

async function fail(message = "The network cannot be reached."): Promise<void> {
  editor.dextr.last.fail(new Error(message));
  await editor.settled();
}

/** Makes four clicks and sends the response. */
async function find(result = square()): Promise<SquareResult> {
  editor.clicks(...OBJECT);
  return answer(result);
}

/** Makes the server acknowledge the recorded edits. */
async function acknowledge(): Promise<void> {
  for (const edit of editor.recorded) editor.respond(edit, { status: "applied", id: 1, revision: 4 });
  await editor.settled();
}

function setThreshold(threshold: number): void {
  const { toolbox } = editor.editor;
  toolbox.change(toolbox.tool, { threshold });
}

/** Waits until the slider counts as set. */
const waitForSlider = () => new Promise((resolve) => setTimeout(resolve, 350));

beforeEach(() => {
  editor = begin();
});

test("four clicks unite the network's outline with the annotation at once, as one step", async () => {
  editor = onSquare();
  editor.clicks(...OBJECT);
  expect(editor.toolState).toBe("dextr.computing");
  await answer();
  expect(editor.toolState).toBe("dextr.refining");
  expect(rings()).toHaveLength(2);
  expect(has(150, 150) && has(350, 150)).toBe(true);
  expect(undoName()).toBe("Unite");
  editor.press("control", "z");
  expect(rings()).toEqual([[SQUARE]]);
  expect(editor.toolState).toBe("dextr.ready");
  editor.press("control", "y");
  expect(has(350, 150)).toBe(true);
});

test("the network receives pixels, in the order of the clicks, with the options", () => {
  editor.clicks(...OBJECT);
  expect(editor.dextr.questions).toHaveLength(1);
  expect(editor.dextr.last.image.id).toBe(7);
  expect(editor.dextr.last.request).toEqual({
    points: [
      [349.5, 99.5],
      [299.5, 149.5],
      [349.5, 199.5],
      [399.5, 149.5],
    ],
    more: [],
    padding: 50,
    threshold: 80,
  });
});

test("choosing the tool loads the network before the first click", () => {
  expect(editor.dextr.prepared).toBe(1);
  expect(editor.toolState).toBe("dextr.ready");
});

test("choosing the tool with nothing selected creates an annotation, which is removed again if unused", () => {
  expect(editor.annotations).toHaveLength(1);
  editor.press("escape");
  expect(editor.annotations).toEqual([]);
  expect(editor.toolState).toBe("select.idle");
});

test("D selects the eighth tool, which is not remembered as the last drawing tool", () => {
  const other = new TestEditor().press("d");
  expect(other.toolState).toBe("dextr.ready");
  expect(other.editor.list.filter(({ keys }) => keys.some((set) => set.join() === "d"))).toHaveLength(1);
  expect(other.editor.list.filter(({ id }) => id.startsWith("tool ")).map(({ id }) => id)[7]).toBe("tool DEXTR");
  other.press("escape").press(" ");
  expect(other.toolState).not.toBe("dextr.ready");
});

test("a new annotation keeps the tool: four clicks and Space, object by object", async () => {
  await find();
  editor.press(" ");
  expect(editor.toolState).toBe("dextr.ready");
  await find(square(10, 10, 80));
  expect(editor.annotations.map((each) => each.rings)).toEqual([[[FOUND]], square(10, 10, 80).rings]);
});

test("clicks outside the image count as points on the nearest border", () => {
  editor.clicks([350, -80], [-4, 150], [350, 700], [9000, 150]);
  expect(editor.dextr.last.request.points).toEqual([
    [349.5, -0.5],
    [-0.5, 149.5],
    [349.5, 479.5],
    [639.5, 149.5],
  ]);
});

test("a point follows the pointer until it is released", () => {
  editor.drag([340, 90], [345, 95], [350, 100]);
  editor.clicks(OBJECT[1], OBJECT[2], OBJECT[3]);
  expect(editor.dextr.last.request.points[0]).toEqual([349.5, 99.5]);
});

test("Backspace removes points one by one, then no longer affects the tool", () => {
  editor = onSquare();
  editor.clicks(OBJECT[0], OBJECT[1], [1, 1]).press("backspace");
  expect(editor.toolState).toBe("dextr.setting");
  editor.clicks(OBJECT[2], OBJECT[3]);
  expect(editor.dextr.last.request.points[2]).toEqual([349.5, 199.5]);
  editor.press("backspace").press("backspace").press("backspace").press("backspace");
  expect(editor.toolState).toBe("dextr.ready");
  expect(editor.annotations).toHaveLength(1);
  expect(editor.recorded).toEqual([]);
});

test("Escape discards points that are not complete yet", () => {
  editor = onSquare();
  editor.clicks(OBJECT[0], OBJECT[1]).press("escape");
  expect(editor.toolState).toBe("dextr.ready");
  expect(editor.selected?.uuid).toBe(uuidOf(1));
});

test("undo and redo remove single points and place them again", () => {
  editor.clicks(OBJECT[0], OBJECT[1]).press("control", "z").press("control", "z");
  expect(editor.toolState).toBe("dextr.ready");
  expect(editor.annotations).toHaveLength(1);
  editor.press("control", "y").press("control", "y");
  editor.clicks(OBJECT[2], OBJECT[3]);
  expect(editor.dextr.last.request.points).toHaveLength(4);
});

test("undone points are discarded when undo continues to earlier steps", async () => {
  await find();
  editor.press("enter").click(120, 120);
  editor.press("control", "z").press("control", "z");
  await editor.settled();
  expect(rings() ?? []).toEqual([]);
  editor.press("control", "y");
  await editor.settled();
  expect(editor.toolState).toBe("dextr.ready");
  expect(has(350, 150)).toBe(true);
});

test("undone points are not added to another annotation", () => {
  editor.clicks(OBJECT[0], OBJECT[1]).press("control", "z").press("control", "z");
  editor.press(" ");
  editor.press("control", "y");
  expect(editor.toolState).toBe("dextr.ready");
});

test("the second press of a double click is not a point", () => {
  editor.click(350, 100).click(351, 100, { clicks: 2 }).clicks(OBJECT[1], OBJECT[2]);
  expect(editor.dextr.questions).toEqual([]);
  expect(editor.toolState).toBe("dextr.setting");
});

test("quick clicks on a tiny object are all points", () => {
  editor.click(350, 100).click(344, 106, { clicks: 2 }).click(350, 112, { clicks: 3 }).click(356, 106, { clicks: 4 });
  expect(editor.dextr.questions).toHaveLength(1);
});

test("a second finger cancels the press", () => {
  editor.clicks(OBJECT[0], OBJECT[1], OBJECT[2]);
  editor.editor.pointer.down(at(400, 150));
  expect(editor.toolState).toBe("dextr.placing");
  editor.editor.pointer.abort();
  expect(editor.toolState).toBe("dextr.setting");
  expect(editor.dextr.questions).toEqual([]);
});

test("a second finger during refinement keeps the outline, without another request", async () => {
  await find();
  editor.editor.pointer.down(at(320, 120));
  editor.editor.pointer.abort();
  await editor.settled();
  expect(editor.toolState).toBe("dextr.refining");
  expect(editor.dextr.questions).toHaveLength(1);
  expect(rings()).toEqual([[FOUND]]);
});

test("Enter accepts the outline, and the next four clicks are another object and another step", async () => {
  await find();
  editor.press("enter");
  expect(editor.toolState).toBe("dextr.ready");
  editor.clicks([50, 10], [10, 50], [50, 90], [90, 50]);
  expect(editor.dextr.last.request.more).toEqual([]);
  await answer(square(10, 10, 80));
  expect(anyHas(350, 150) && anyHas(50, 50)).toBe(true);
  editor.press("control", "z");
  expect(anyHas(350, 150)).toBe(true);
  expect(anyHas(50, 50)).toBe(false);
});

test("Escape removes the outline, redo restores it", async () => {
  editor = onSquare();
  await find();
  editor.press("escape");
  expect(rings()).toEqual([[SQUARE]]);
  expect(editor.toolState).toBe("dextr.ready");
  expect(editor.selected?.uuid).toBe(uuidOf(1));
  editor.press("control", "y");
  expect(rings()).toHaveLength(2);
});

test("further clicks refine: each outline replaces the last, united with the original shape, in one step", async () => {
  editor = onSquare();
  await find();
  editor.click(310, 150);
  expect(editor.dextr.last.request.points).toHaveLength(4);
  expect(editor.dextr.last.request.more).toEqual([[309.5, 149.5]]);
  await answer(square(310, 110, 80));
  expect(has(305, 105)).toBe(false);
  expect(has(150, 150) && has(350, 150)).toBe(true);
  editor.click(320, 150);
  await answer(square(320, 120, 60));
  expect(has(312, 150)).toBe(false);
  editor.press("control", "z");
  expect(rings()).toEqual([[SQUARE]]);
  editor.press("control", "y");
  expect(has(312, 150)).toBe(false);
  expect(has(325, 150)).toBe(true);
  editor.press("control", "z");
  expect(editor.editor.history.store.getState().undo).toBeNull();
});

test("a refining click inside the annotation does not remove anything from it", async () => {
  editor = onSquare();
  await find(square(150, 150, 100));
  editor.click(240, 240);
  await answer(square(180, 180, 60));
  expect(has(110, 110) && has(190, 190) && has(230, 230)).toBe(true);
  expect(has(245, 245)).toBe(false);
});

test("Backspace removes the last refinement without another request, and at four points the outline", async () => {
  editor = onSquare();
  await find();
  editor.click(310, 150);
  await answer(square(310, 110, 80));
  editor.press("backspace");
  await editor.settled();
  await editor.settled();
  expect(has(305, 105)).toBe(true);
  expect(editor.dextr.questions).toHaveLength(2);
  editor.press("backspace");
  await editor.settled();
  expect(rings()).toEqual([[SQUARE]]);
  expect(editor.toolState).toBe("dextr.setting");
  editor.click(400, 160);
  expect(editor.dextr.last.request.points[3]).toEqual([399.5, 159.5]);
  await answer();
  editor.press("control", "z");
  expect(rings()).toEqual([[SQUARE]]);
});

test("a refining point that is placed again is requested again", async () => {
  await find();
  editor.click(310, 150);
  await answer(square(310, 110, 80));
  editor.press("backspace");
  await editor.settled();
  editor.click(320, 150);
  expect(editor.dextr.last.request.more).toEqual([[319.5, 149.5]]);
  await answer(square(320, 120, 60));
  expect(has(315, 150)).toBe(false);
});

test("no more than sixteen refining points are accepted", async () => {
  await find();
  for (let i = 0; i < 17; i++) {
    editor.click(310 + i, 150);
    await answer();
  }
  expect(editor.dextr.last.request.more).toHaveLength(16);
  expect(editor.dextr.questions).toHaveLength(17);
  expect(editor.toolState).toBe("dextr.refining");
});

test("a click while the network runs cancels the running request and sends one with all points", async () => {
  editor.clicks(...OBJECT);
  const first = editor.dextr.last;
  editor.click(310, 150);
  expect(first.signal.aborted).toBe(true);
  first.answer(square(0, 0, 300));
  await answer(square(310, 110, 80));
  expect(rings()).toEqual([square(310, 110, 80).rings].flat());
  expect(changes()).toHaveLength(1);
});

test("Escape while the network runs changes nothing, however late the response arrives", async () => {
  editor = onSquare();
  editor.clicks(...OBJECT);
  const { signal } = editor.dextr.last;
  editor.press("escape");
  expect(signal.aborted).toBe(true);
  await answer();
  expect(editor.recorded).toEqual([]);
  expect(editor.toolState).toBe("dextr.ready");
  expect(editor.toastTitles).toEqual([]);
});

test("Escape during a refinement removes that point, and the outline stays until the next Escape", async () => {
  editor = onSquare();
  await find();
  editor.click(310, 150).press("escape");
  await editor.settled();
  expect(editor.toolState).toBe("dextr.refining");
  expect(rings()).toHaveLength(2);
  editor.press("escape");
  await editor.settled();
  expect(rings()).toEqual([[SQUARE]]);
});

test("undo during a refinement removes its point, and the next undo everything", async () => {
  editor = onSquare();
  await find();
  editor.click(310, 150).press("control", "z");
  await editor.settled();
  expect(editor.toolState).toBe("dextr.refining");
  editor.press("control", "z");
  expect(rings()).toEqual([[SQUARE]]);
});

test("Enter while the network runs accepts its result, and the next clicks are another object", async () => {
  editor.clicks(...OBJECT).press("enter");
  expect(editor.toolState).toBe("dextr.closing");
  const [first] = editor.dextr.questions;
  editor.clicks([50, 10], [10, 50], [50, 90], [90, 50]);
  expect(first?.signal.aborted).toBe(false);
  first?.answer(square());
  await answer(square(10, 10, 80));
  expect(anyHas(350, 150) && anyHas(50, 50)).toBe(true);
  editor.press("enter").press("control", "z");
  expect(anyHas(350, 150)).toBe(true);
  expect(anyHas(50, 50)).toBe(false);
});

test("Enter while the network runs ends with its response", async () => {
  editor.clicks(...OBJECT).press("enter");
  await answer();
  expect(editor.toolState).toBe("dextr.ready");
  expect(rings()).toEqual([[FOUND]]);
});

test("results are added to their annotations in the order of the clicks", async () => {
  editor.clicks(...OBJECT).press("enter");
  const [first] = editor.dextr.questions;
  editor.clicks([50, 10], [10, 50], [50, 90], [90, 50]);
  await answer(square(10, 10, 80));
  expect(rings()).toEqual([]);
  first?.answer(square());
  await editor.settled();
  await editor.settled();
  expect(anyHas(350, 150) && anyHas(50, 50)).toBe(true);
});

test("choosing another tool accepts the outline, and a running computation is not lost", async () => {
  await find();
  editor.choose("Brush");
  expect(rings()).toEqual([[FOUND]]);
  editor.choose("DEXTR").clicks([50, 10], [10, 50], [50, 90], [90, 50]).choose("Select");
  await answer(square(10, 10, 80));
  expect(has(50, 50)).toBe(true);
  expect(editor.toolState).toBe("select.idle");
});

test("a box drawn while the network runs is added to the annotation without shape, and creates no other", async () => {
  editor
    .clicks(...OBJECT)
    .press(" ")
    .choose("BBox")
    .drag([10, 10], [60, 50]);
  const made = editor.annotations.length;
  await answer();
  expect(editor.annotations).toHaveLength(made);
  expect(editor.annotations.map(({ isbbox }) => isbbox)).toEqual([false, true]);
});

test("choosing another tool drops incomplete points", () => {
  editor.clicks(OBJECT[0], OBJECT[1], OBJECT[2]).choose("Polygon").choose("DEXTR").click(400, 150);
  expect(editor.dextr.questions).toEqual([]);
  expect(editor.toolState).toBe("dextr.setting");
});

test("selecting another annotation keeps the outline in its annotation, and clicks start over", async () => {
  editor = new TestEditor(sceneOf([annotationOf(1), annotationOf(2, { rings: [] })])).click(150, 150).choose("DEXTR");
  editor.clicks(...OBJECT);
  const { document, selection } = editor.editor;
  selection.selectAnnotation(document.annotation(uuidOf(2)));
  expect(editor.toolState).toBe("dextr.ready");
  await answer();
  expect(document.annotation(uuidOf(1))?.rings).toHaveLength(2);
  expect(document.annotation(uuidOf(2))?.rings).toEqual([]);
  editor.clicks(OBJECT[0], OBJECT[1], OBJECT[2]);
  expect(editor.dextr.questions).toHaveLength(1);
});

test("a refinement that arrives after a new annotation was created belongs to its outline's step", async () => {
  await find();
  const { uuid } = editor.selected!;
  editor.click(310, 150).press("enter").press(" ");
  await answer(square(310, 110, 80));
  const found = () => editor.editor.document.annotation(uuid)?.rings;
  expect(found()).toEqual(square(310, 110, 80).rings);
  editor.press("control", "z").press("control", "z");
  expect(found()).toEqual([]);
});

test("deselecting activates Select, and the outline stays", async () => {
  await find();
  const { uuid } = editor.selected!;
  editor.editor.selection.selectAnnotation(null);
  expect(editor.toolState).toBe("select.idle");
  expect(editor.editor.document.annotation(uuid)?.rings).toEqual([[FOUND]]);
});

test("a result for an annotation deleted while the network runs is dropped", async () => {
  editor = onSquare();
  editor.clicks(...OBJECT);
  editor.editor.commands.delete(uuidOf(1));
  await answer();
  expect(editor.annotations).toEqual([]);
  expect(editor.toastTitles).toEqual([]);
});

test("a deletion by button while the network runs includes the result, and undo restores both", async () => {
  editor = onSquare();
  editor.clicks(...OBJECT);
  editor.editor.actions.delete(uuidOf(1));
  await answer();
  expect(editor.annotations.map(({ rings: left }) => left)).toEqual([[]]);
  editor.press("control", "z");
  expect(editor.annotations[0]?.rings).toHaveLength(2);
});

test("a remote change while the network runs is united with the result, not lost", async () => {
  editor = onSquare();
  editor.clicks(...OBJECT);
  changeElsewhere([[[10, 10, 40, 10, 40, 40]]]);
  await answer();
  expect(has(35, 20) && has(350, 150)).toBe(true);
  expect(has(150, 150)).toBe(false);
});

test("a remote change of an outline that could still be refined ends the refinement", async () => {
  editor = onSquare();
  await find();
  await acknowledge();
  changeElsewhere([[[10, 10, 40, 10, 40, 40]]], 5);
  expect(editor.toolState).toBe("dextr.ready");
  expect(rings()).toEqual([[[10, 10, 40, 10, 40, 40]]]);
  editor.click(310, 150);
  expect(editor.toolState).toBe("dextr.setting");
});

test("a refinement that arrives after a remote change is dropped", async () => {
  editor = onSquare();
  await find();
  await acknowledge();
  editor.click(310, 150);
  changeElsewhere([[[10, 10, 40, 10, 40, 40]]], 5);
  await answer(square(310, 110, 80));
  expect(rings()).toEqual([[[10, 10, 40, 10, 40, 40]]]);
});

test("the server's response to the edit does not end the refinement", async () => {
  editor = onSquare();
  await find();
  await acknowledge();
  expect(editor.toolState).toBe("dextr.refining");
  editor.click(310, 150);
  await answer(square(310, 110, 80));
  expect(has(305, 105)).toBe(false);
});

test("any other command ends the refinement", async () => {
  await find();
  editor.editor.commands.modify(editor.selected!.uuid, { category_id: 2 }, "Category");
  expect(editor.toolState).toBe("dextr.ready");
  editor.press("escape");
  expect(editor.editor.document.state.annotations.size).toBe(1);
});

test("the threshold changes the outline without another request, as part of its step", async () => {
  editor = onSquare();
  const result = await find();
  const before = changes().length;
  setThreshold(90);
  setThreshold(95);
  await editor.settled();
  expect(result.outlines).toEqual([90, 95]);
  expect(changes()).toHaveLength(before);
  await waitForSlider();
  expect(changes()).toHaveLength(before + 1);
  expect(has(310, 150)).toBe(false);
  expect(has(320, 150)).toBe(true);
  expect(editor.toolState).toBe("dextr.refining");
  expect(editor.dextr.questions).toHaveLength(1);
  editor.press("control", "z");
  expect(rings()).toEqual([[SQUARE]]);
  editor.press("control", "y");
  expect(has(310, 150)).toBe(false);
  expect(has(320, 150)).toBe(true);
});

test.each([
  ["Enter", () => editor.press("enter")],
  ["another tool", () => editor.choose("Select")],
  ["another annotation", () => editor.press(" ")],
])("a threshold that was just changed counts if %s follows at once", async (_, act) => {
  await find();
  const { uuid } = editor.selected!;
  setThreshold(90);
  act();
  await editor.settled();
  await editor.settled();
  expect(editor.editor.document.annotation(uuid)?.rings).toEqual([square().at(90)].flat());
});

test("undo right after a change of the threshold reverts everything, redo restores the last outline", async () => {
  editor = onSquare();
  await find();
  setThreshold(90);
  editor.press("control", "z");
  await editor.settled();
  await editor.settled();
  expect(rings()).toEqual([[SQUARE]]);
  editor.press("control", "y");
  expect(has(305, 150)).toBe(false);
  expect(has(315, 150)).toBe(true);
});

test("Escape right after a change of the threshold reverts everything", async () => {
  editor = onSquare();
  await find();
  setThreshold(90);
  editor.press("escape");
  await waitForSlider();
  expect(rings()).toEqual([[SQUARE]]);
});

test("a threshold that leaves no outline restores the annotation, and a lower one shows the object", async () => {
  editor = onSquare();
  await find(square(300, 100, 30));
  setThreshold(100);
  await waitForSlider();
  expect(rings()).toEqual([[SQUARE]]);
  expect(editor.selected?.uuid).toBe(uuidOf(1));
  setThreshold(80);
  await waitForSlider();
  expect(rings()).toHaveLength(2);
  editor.press("control", "z");
  expect(rings()).toEqual([[SQUARE]]);
});

test("a threshold changed while the network runs applies to its result", async () => {
  editor.clicks(...OBJECT);
  setThreshold(90);
  await answer();
  expect(rings()).toEqual([square().at(90)].flat());
});

test("a threshold that changes again during its computation is applied last", async () => {
  for (const end of ["refining", "closing"]) {
    editor = begin();
    editor.clicks(...OBJECT);
    setThreshold(90);
    if (end === "closing") editor.press("enter");
    const result = square();
    const outline = result.outline.bind(result);
    result.outline = async (threshold) => {
      if (result.outlines.length === 0) setThreshold(95);
      return outline(threshold);
    };
    await answer(result);
    await waitForSlider();
    await editor.settled();
    expect(rings()).toEqual([square().at(95)].flat());
  }
});

test("changing the padding runs the network again", async () => {
  await find();
  const { toolbox } = editor.editor;
  toolbox.change(toolbox.tool, { padding: 20 });
  expect(editor.toolState).toBe("dextr.computing");
  expect(editor.dextr.last.request.padding).toBe(20);
  await answer(square(310, 110, 80));
  expect(has(305, 105)).toBe(false);
  editor.press("control", "z");
  expect(rings()).toEqual([]);
});

test("a network that cannot run is reported once, changes nothing, and the clicks stay for a retry", async () => {
  editor = onSquare();
  editor.clicks(...OBJECT);
  await fail();
  expect(editor.toastTitles).toEqual(["DEXTR"]);
  expect(editor.recorded).toEqual([]);
  expect(editor.toolState).toBe("dextr.failed");
  editor.click(310, 150);
  expect(editor.dextr.last.request.points).toHaveLength(4);
  expect(editor.dextr.last.request.more).toHaveLength(1);
  await answer();
  expect(has(350, 150)).toBe(true);
  expect(editor.toolState).toBe("dextr.refining");
});

test("Enter uses the shape of the four points, as one step, if the network cannot run", async () => {
  editor = onSquare();
  editor.clicks(...OBJECT);
  await fail();
  editor.press("enter");
  await editor.settled();
  expect(has(350, 150) && has(350, 102) && has(150, 150)).toBe(true);
  expect(has(305, 105)).toBe(false);
  expect(editor.toolState).toBe("dextr.ready");
  editor.press("control", "z");
  expect(rings()).toEqual([[SQUARE]]);
});

test("Escape drops the clicks if the network cannot run", async () => {
  editor = onSquare();
  editor.clicks(...OBJECT);
  await fail();
  editor.press("escape");
  expect(editor.toolState).toBe("dextr.ready");
  expect(editor.recorded).toEqual([]);
  expect(editor.editor.ui.store.getState().isDrawing).toBe(false);
});

test("a failed refinement keeps the previous outline, which Enter accepts and to which Escape returns", async () => {
  await find();
  editor.click(310, 150);
  await fail();
  expect(rings()).toEqual([[FOUND]]);
  editor.press("escape");
  await editor.settled();
  expect(editor.toolState).toBe("dextr.refining");
  expect(rings()).toEqual([[FOUND]]);
  editor.click(320, 150);
  await fail();
  editor.press("enter");
  expect(editor.toolState).toBe("dextr.ready");
  expect(rings()).toEqual([[FOUND]]);
});

test("a failure after the tool was left is reported and changes nothing", async () => {
  editor = onSquare();
  editor.clicks(...OBJECT).choose("Select");
  await fail();
  expect(editor.toastTitles).toEqual(["DEXTR"]);
  expect(editor.recorded).toEqual([]);
  expect(editor.editor.drawing.isBusy).toBe(false);
});

test("the annotation stays unchanged until the network finds something", async () => {
  editor = onSquare();
  await find(square(300, 100, 0));
  expect(editor.toolState).toBe("dextr.refining");
  expect(editor.recorded).toEqual([]);
  editor.click(310, 150);
  await answer();
  expect(has(350, 150)).toBe(true);
  editor.press("control", "z");
  expect(rings()).toEqual([[SQUARE]]);
});

test("undo removes the last point, not an earlier step, if the network finds nothing", async () => {
  await find();
  editor.press("enter").clicks([120, 120], [110, 130], [120, 140], [130, 130]);
  await answer(square(100, 100, 0));
  expect(editor.toolState).toBe("dextr.refining");
  editor.press("control", "z");
  await editor.settled();
  expect(editor.toolState).toBe("dextr.setting");
  expect(anyHas(350, 150)).toBe(true);
});

const IN_VAIN = "info: Nothing found at this threshold: lower it and set the points again.";

test("an empty result after Enter is reported once", async () => {
  editor = onSquare();
  editor.clicks(...OBJECT).press("enter");
  await answer(square(300, 100, 0));
  expect(editor.messages).toEqual([IN_VAIN]);
  expect(editor.toolState).toBe("dextr.ready");
  expect(editor.recorded).toEqual([]);
});

test("an empty result for an object is reported after the next one was started", async () => {
  editor.clicks(...OBJECT).press("enter");
  const [first] = editor.dextr.questions;
  editor.clicks([50, 10], [10, 50], [50, 90], [90, 50]);
  first?.answer(square(300, 100, 0));
  await editor.settled();
  expect(editor.messages).toEqual([IN_VAIN]);
  await answer(square(10, 10, 80));
  expect(editor.messages).toHaveLength(1);
  expect(editor.toolState).toBe("dextr.refining");
});

test("an empty result is shown in the panel while the points are visible, and not reported otherwise", async () => {
  await find(square(300, 100, 0));
  editor.press("enter");
  await editor.settled();
  expect(editor.messages).toEqual([]);
});

test("a threshold that leaves no outline after Enter is also reported", async () => {
  editor.clicks(...OBJECT);
  setThreshold(90);
  editor.press("enter");
  const result = square(300, 100, 30);
  const outline = result.outline.bind(result);
  result.outline = async (threshold) => {
    if (result.outlines.length === 0) setThreshold(100);
    return outline(threshold);
  };
  await answer(result);
  await editor.settled();
  expect(rings()).toEqual([]);
  expect(editor.messages).toEqual([IN_VAIN]);
});

test("a result that is already part of the annotation is not a step", async () => {
  editor = onSquare();
  await find(square(100, 100, 100));
  expect(editor.recorded).toEqual([]);
  editor.press("enter");
  expect(undoName()).toBeUndefined();
});

test("a box becomes a shape with the result, and a box again when it is undone", async () => {
  editor = new TestEditor(sceneOf([annotationOf(1, { isbbox: true })])).click(150, 150).choose("DEXTR");
  await find(square(300, 100, 30));
  expect(editor.selected).toMatchObject({ isbbox: false });
  setThreshold(100);
  await waitForSlider();
  expect(editor.selected).toMatchObject({ isbbox: true, rings: [[SQUARE]] });
});

test("a mask is united with the result, and is a mask again when it is undone", async () => {
  const rle = { size: [480, 640] as [number, number], counts: [100_000, 40, 440, 40, 206_680] };
  editor = new TestEditor(sceneOf([annotationOf(1, { rings: null, rle, iscrowd: true })]));
  editor.editor.selection.selectAnnotation(annotationOf(1));
  editor.choose("DEXTR");
  await find();
  expect(rings()).toHaveLength(2);
  editor.press("escape");
  expect(editor.selected).toMatchObject({ rings: null, rle });
});

test("the user's simplify setting applies to the outline, not to the annotation", async () => {
  const fine = Array.from({ length: 100 }, (_, i) => [20 + i * 2, 20 + (i % 2) * 0.9]).flat();
  const own: Rings = [[[...fine, 218, 90, 20, 90]]];
  editor = new TestEditor(sceneOf([annotationOf(1, { rings: own })]));
  editor.editor.selection.selectAnnotation(annotationOf(1));
  editor.choose("DEXTR").clicks(...OBJECT);
  const wavy = Array.from({ length: 50 }, (_, i) => [300 + i * 2, 100 + (i % 2) * 0.9]).flat();
  const result = square();
  Object.assign(result, { rings: [[[...wavy, 400, 200, 300, 200]]] });
  await answer(result);
  const [mine, found] = [...rings()!].sort((a, b) => b[0]!.length - a[0]!.length);
  expect(mine?.[0]).toHaveLength(own[0]![0]!.length);
  expect(found?.[0]?.length).toBeLessThan(12);
});

test("points of one object cannot be placed in another's annotation", () => {
  editor = new TestEditor(sceneOf([annotationOf(1), annotationOf(2, { rings: [] })])).click(150, 150).choose("DEXTR");
  editor.clicks(OBJECT[0], OBJECT[1]);
  editor.editor.selection.selectAnnotation(annotationOf(2));
  expect(editor.toolState).toBe("dextr.ready");
});

test("leaving the image keeps the outline and a running computation", async () => {
  await find();
  const { uuid } = editor.selected!;
  setThreshold(90);
  editor.editor.leave();
  await editor.editor.settled();
  expect(editor.editor.document.annotation(uuid)?.rings).toEqual([square().at(90)].flat());
});

test("the outline stays if the page's canvas is closed first", async () => {
  await find();
  editor.editor.detach();
  expect(rings()).toEqual([[FOUND]]);
});

test("closing the image releases its pixels", () => {
  editor.editor.close();
  expect(editor.dextr.released).toBe(1);
});

test("label mode keeps the outline", async () => {
  await find();
  const { uuid } = editor.selected!;
  editor.press("l");
  expect(editor.editor.document.annotation(uuid)?.rings).toEqual([[FOUND]]);
});

test("padding and threshold have their bounds and defaults", () => {
  const stored = (dextr: Record<string, number>) => {
    const { toolbox } = new TestEditor(sceneOf([], { preferences: { dextr } })).choose("DEXTR").editor;
    return toolbox.optionsOf(toolbox.tool);
  };
  expect(stored({})).toEqual({ padding: 50, threshold: 80 });
  expect(stored({ padding: 0, threshold: 0 })).toEqual({ padding: 0, threshold: 0 });
  expect(stored({ padding: 1001, threshold: 101 })).toEqual({ padding: 1000, threshold: 100 });
});

/** Applies the event of another user's change of annotation 1. */
function changeElsewhere(shape: Rings, revision = 4): void {
  editor.editor.document.applyRemote(
    [
      {
        image_revision: 6,
        subject: "annotation",
        subject_id: uuidOf(1),
        revision,
        action: "modify",
        fields: { rings: shape, isbbox: false },
        edit: null,
        client: "somebody-else",
        user: "bob",
      },
    ],
    6,
  );
}

test("three objects kept with Enter become three annotations of the category", async () => {
  const lefts = [100, 300, 500];
  for (const left of lefts) {
    editor.clicks([left + 50, 100], [left, 150], [left + 50, 200], [left + 100, 150]);
    await answer(square(left));
    editor.press("enter");
    await editor.settled();
  }
  expect(editor.annotations.map(({ bbox: _, rings: found }) => found?.[0]?.[0]?.[0])).toEqual(lefts);
  expect(editor.toolState).toBe("dextr.ready");
});

test("an object kept with Enter while it is computed gets its outline, and the next one its own annotation", async () => {
  editor.clicks(...OBJECT).press("enter");
  const [first] = editor.annotations;
  const network = editor.dextr.last;
  editor.clicks([50, 10], [10, 50], [50, 90], [90, 50]);
  expect(editor.annotations).toHaveLength(2);
  network.answer(square());
  await editor.settled();
  await editor.settled();
  expect(editor.editor.document.annotation(first!.uuid)?.rings).toHaveLength(1);
  expect(editor.selected?.rings).toEqual([]);
});

test("the hint says that the next object becomes a new annotation, until undo", async () => {
  await find();
  const next = () => editor.editor.toolbox.machine.destination?.getState().startsNew;
  expect(next()).toBe(false);
  editor.press("enter");
  expect(next()).toBe(true);
  editor.press("control", "z");
  expect(next()).toBe(false);
  await find();
  expect(editor.annotations).toHaveLength(1);
});

test("the next object goes into the annotation of an object that was not found, although Enter was pressed", async () => {
  editor.clicks(...OBJECT).press("enter");
  await answer(square(300, 100, 0));
  editor.clicks([350, 90], [300, 150], [350, 210], [400, 150]);
  await answer(square());
  expect(editor.annotations).toHaveLength(1);
});

test("with Alt at the first point the outline is cut out, and its threshold refines the cut as one step", async () => {
  editor = onSquare();
  editor.click(150, 110, { alt: true });
  editor.clicks([110, 150], [150, 190], [190, 150]);
  await answer(square(110, 110, 80));
  expect(has(150, 150)).toBe(false);
  expect(has(105, 105)).toBe(true);
  expect(undoName()).toBe("Subtract");
  setThreshold(100);
  await waitForSlider();
  await editor.settled();
  expect(has(115, 115)).toBe(true);
  expect(has(150, 150)).toBe(false);
  editor.press("control", "z");
  expect(rings()).toEqual([[SQUARE]]);
});

test("a cut that would leave nothing changes nothing, and a cut from an empty annotation does not start", async () => {
  editor = onSquare();
  editor.click(350, 100, { alt: true });
  editor.clicks([300, 150], [350, 200], [400, 150]);
  await answer(square(0, 0, 500));
  expect(rings()).toEqual([[SQUARE]]);
  expect(editor.recorded).toEqual([]);
  editor = begin().click(350, 100, { alt: true });
  expect(editor.toolState).toBe("dextr.ready");
});

test("with Shift the next object is added to the one that Enter has kept", async () => {
  await find();
  editor.press("enter").click(250, 300, { shift: true });
  editor.clicks([200, 350], [250, 400], [300, 350]);
  await answer(square(200, 300));
  expect(editor.annotations).toHaveLength(1);
  expect(rings()).toHaveLength(2);
});

test("the next object without a held key is united again after a cut", async () => {
  editor = onSquare();
  editor.click(150, 110, { alt: true });
  editor.clicks([110, 150], [150, 190], [190, 150]);
  await answer(square(110, 110, 80));
  editor.press("enter");
  editor.editor.selection.selectAnnotation(editor.annotations[0]!);
  editor.clicks(...OBJECT);
  await answer();
  expect(anyHas(350, 150)).toBe(true);
});
