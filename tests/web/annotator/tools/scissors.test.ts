import { expect, test, vi } from "vitest";
import { signedArea } from "../../../../shared/geometry/ring";
import type { Pixels } from "../../../../shared/wand/pixels";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

/** Grey, with a white disc of radius 100 around (300, 200). */
const IMAGE: Pixels = (() => {
  const colors = new Uint32Array(640 * 480).fill(0xff808080);
  for (let y = 0; y < 480; y++)
    for (let x = 0; x < 640; x++) if (Math.hypot(x + 0.5 - 300, y + 0.5 - 200) < 100) colors[y * 640 + x] = 0xffffffff;
  return { width: 640, height: 480, colors };
})();
const AREA = Math.PI * 100 ** 2;

const open = (scene = sceneOf()) => new TestEditor(scene, [], IMAGE).choose("Scissors");
const areaOf = (editor: TestEditor) =>
  Math.abs((editor.selected?.rings ?? []).flat().reduce((sum, ring) => sum + signedArea(ring), 0));
/** Clicks beside the disc's border, and waits for the lines. */
async function around(editor: TestEditor): Promise<TestEditor> {
  await editor.clicks([303, 98], [402, 202], [297, 303]).settled();
  return editor.settled();
}

test("clicks around an object and Enter give its outline", async () => {
  const editor = await around(open());
  await editor.press("enter").settled();
  await editor.settled();
  expect(Math.abs(areaOf(editor) - AREA) / AREA).toBeLessThan(0.02);
  expect(editor.editor.history.store.getState().undo?.action).toBe("Unite");
  expect(editor.toolState).toBe("scissors.idle");
  expect(editor.sketch).toBeNull();
});

test.each([
  ["a click on the first point", (editor: TestEditor) => editor.click(301, 101)],
  ["a double click", (editor: TestEditor) => editor.click(200, 200).click(200, 200, { clicks: 2 })],
])("%s closes the outline", async (_, close) => {
  const editor = await around(open());
  await close(editor).settled();
  await editor.settled();
  expect(Math.abs(areaOf(editor) - AREA) / AREA).toBeLessThan(0.02);
});

test("a double click on the first point closes the outline and does not begin another", async () => {
  const editor = await around(open());
  editor.click(301, 101).click(301, 101, { clicks: 2 }).click(301, 101, { clicks: 3 });
  for (let i = 0; i < 3; i++) await editor.settled();
  expect(isDisc(areaOf(editor))).toBe(true);
  expect(editor.toolState).toBe("scissors.idle");
  expect(editor.sketch).toBeNull();
});

test("fast clicks are taken in order, even before their lines are computed", async () => {
  const editor = open().clicks([303, 98], [402, 202], [297, 303], [198, 200]).press("enter");
  for (let i = 0; i < 5; i++) await editor.settled();
  expect(Math.abs(areaOf(editor) - AREA) / AREA).toBeLessThan(0.02);
});

test("a drag sets an anchor at its beginning and at its end", async () => {
  const editor = open().drag([300, 100], [350, 120], [400, 200]);
  await editor.settled();
  expect(editor.sketch?.starts).toHaveLength(2);
});

test("Backspace removes anchors, undo and redo work on anchors, and Escape discards all", async () => {
  const editor = await around(open());
  const anchors = () => editor.sketch?.starts.length ?? 0;
  expect(anchors()).toBe(3);
  editor.press("backspace");
  expect(anchors()).toBe(2);
  editor.press("control", "z");
  expect(anchors()).toBe(1);
  editor.press("control", "y");
  expect(anchors()).toBe(2);
  editor.press("escape");
  expect(anchors()).toBe(0);
  expect(editor.toolState).toBe("scissors.idle");
});

test("an anchor that was undone does not come back after another one has been set, even if its line is still computed", async () => {
  const editor = await around(open());
  editor.press("control", "z").click(200, 200).press("control", "y");
  await editor.settled();
  expect(editor.sketch?.starts).toHaveLength(3);
  const [lastX, lastY] = editor.sketch?.ring.slice(-2) ?? [];
  expect(Math.hypot(lastX! - 200, lastY! - 200)).toBeLessThan(20);
});

test("with Shift the line to an anchor is straight", async () => {
  const editor = await open().click(300, 100).settled();
  await editor.click(402, 202, { shift: true }).settled();
  expect(editor.sketch?.ring).toHaveLength(4);
});

test("Alt at the first anchor cuts the outline out of the selected shape", async () => {
  const whole = annotationOf(1, { rings: [[[150, 50, 450, 50, 450, 350, 150, 350]]] });
  const editor = new TestEditor(sceneOf([whole]), [], IMAGE).click(170, 70).choose("Scissors");
  editor.click(303, 98, { alt: true }).clicks([402, 202], [297, 303]).press("enter");
  for (let i = 0; i < 5; i++) await editor.settled();
  expect(Math.abs(areaOf(editor) - (90_000 - AREA)) / AREA).toBeLessThan(0.02);
  expect(editor.selected?.rings?.[0]).toHaveLength(2);
});

/** Four places around the disc's border. */
const AROUND = [
  [303, 98],
  [402, 202],
  [297, 303],
  [198, 200],
] as const;

/**
 * Returns an editor with the scissors chosen whose lines are held back, as while the image is being loaded, and a
 * function that lets them go and waits for all that follows.
 */
function openSlow(scene = sceneOf()) {
  const editor = new TestEditor(scene, [], IMAGE);
  const { compute } = editor.editor.parts;
  const scissors = compute.scissors("");
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  vi.spyOn(compute, "scissors").mockReturnValue({
    ...scissors,
    follow: async (...line) => {
      await released;
      return scissors.follow(...line);
    },
  });
  const finish = async () => {
    release();
    for (let i = 0; i < 8; i++) await editor.settled();
    await editor.editor.drawing.settled();
  };
  return { editor: editor.choose("Scissors"), finish };
}

const areas = (editor: TestEditor) =>
  editor.annotations.map(({ rings }) =>
    Math.abs((rings ?? []).flat().reduce((sum, ring) => sum + signedArea(ring), 0)),
  );
const isDisc = (area: number | undefined) => Math.abs((area ?? 0) - AREA) / AREA < 0.02;

test.each([
  ["another annotation", (editor: TestEditor) => editor.press(" ")],
  ["the Select tool", (editor: TestEditor) => editor.press("s")],
  ["Escape", (editor: TestEditor) => editor.press("escape")],
])("a closed outline that is still being computed goes into its annotation despite %s", async (_, leave) => {
  const { editor, finish } = openSlow();
  const uuid = editor.selected?.uuid;
  leave(editor.clicks(...AROUND).press("enter"));
  await finish();
  expect(editor.annotations[0]?.uuid).toBe(uuid);
  expect(areas(editor).filter((area) => area > 0)).toHaveLength(1);
  expect(isDisc(areas(editor)[0])).toBe(true);
});

test("the image is marked as done after a closed outline that is still being computed", async () => {
  const { editor, finish } = openSlow();
  editor.clicks(...AROUND).press("enter");
  editor.press("control", "enter");
  expect(editor.wentTo).toEqual([]);
  await finish();
  expect(editor.recorded.map(({ subject, action }) => `${action} ${subject}`)).toEqual([
    "create annotation",
    "modify annotation",
    "modify image",
  ]);
  expect(isDisc(areas(editor)[0])).toBe(true);
});

test("undo after Enter reverts the whole outline, not its last anchor, and redo restores it", async () => {
  const { editor, finish } = openSlow();
  editor
    .clicks(...AROUND)
    .press("enter")
    .press("control", "z");
  await finish();
  expect(areas(editor)).toEqual([0]);
  expect(editor.toolState).toBe("scissors.idle");
  editor.press("control", "y");
  await editor.editor.drawing.settled();
  expect(isDisc(areas(editor)[0])).toBe(true);
});

test("a click after Enter begins another outline while the first is still being computed", async () => {
  const { editor, finish } = openSlow();
  editor.clicks(...AROUND).press("enter");
  expect(editor.toolState).toBe("scissors.idle");
  editor.clicks([500, 350], [600, 350], [600, 450]).press("enter");
  await finish();
  expect(editor.selected?.rings).toHaveLength(2);
  expect(areas(editor)[0]).toBeGreaterThan(AREA + 4000);
});

test("an unfinished outline is still there after a reload", async () => {
  const before = await around(open());
  const after = new TestEditor(sceneOf(), [], IMAGE);
  after.sketch = structuredClone(before.sketch);
  after.editor.creating.continueSketch();
  expect(after.toolState).toBe("scissors.drawing");
  await after.press("enter").settled();
  await after.settled();
  expect(Math.abs(areaOf(after) - AREA) / AREA).toBeLessThan(0.02);
});

test("an outline with two anchors is not closed", async () => {
  const editor = await open().clicks([300, 100], [400, 200]).settled();
  await editor.press("enter").settled();
  expect(editor.toolState).toBe("scissors.drawing");
});
