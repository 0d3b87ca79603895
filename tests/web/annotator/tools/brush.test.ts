import { expect, test } from "vitest";
import { ringsContain } from "../../../../shared/geometry/polygons";
import { annotationOf, at, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

const has = (editor: TestEditor, x: number, y: number) => ringsContain(editor.selected?.rings ?? [], x, y);
const withBrush = (brush: { radius: number }) => sceneOf([], { preferences: { brush } });
const CROWD = { size: [480, 640] as [number, number], counts: [100_000, 40, 440, 40, 206_680] };

test("a click paints a disc of the radius", async () => {
  const editor = await new TestEditor().choose("Brush").click(200, 200).settled();
  expect(editor.annotations).toHaveLength(1);
  const rings = editor.selected?.rings ?? [];
  expect(rings.map((polygon) => polygon.length)).toEqual([1]);
  for (const [x, y] of [
    [229, 200],
    [200, 171],
    [180, 180],
  ] as const)
    expect(has(editor, x, y)).toBe(true);
  for (const [x, y] of [
    [231, 200],
    [200, 169],
    [178, 178],
  ] as const)
    expect(has(editor, x, y)).toBe(false);
});

test("a stroke has no gaps, however far apart the reported positions are", async () => {
  const editor = await new TestEditor().choose("Brush").drag([50, 100], [600, 100], [600, 400]).settled();
  expect(editor.selected?.rings).toHaveLength(1);
  for (let x = 50; x <= 600; x += 5) expect(has(editor, x, 100)).toBe(true);
  for (let y = 100; y <= 400; y += 5) expect(has(editor, 600, y)).toBe(true);
  expect(has(editor, 300, 250)).toBe(false);
});

test("pointer positions between two events are also painted", async () => {
  const editor = new TestEditor().choose("Brush");
  const { pointer } = editor.editor;
  pointer.down(at(100, 100));
  pointer.move({ ...at(300, 100), trail: [100, 200, 300].map((x) => ({ x, y: x === 200 ? 300 : 100 })) });
  pointer.up(at(300, 100));
  await editor.settled();
  expect(has(editor, 200, 300)).toBe(true);
  expect(has(editor, 200, 100)).toBe(false);
});

test("each stroke is one undo step", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).choose("Brush");
  await editor.drag([300, 300], [350, 350], [400, 300]).settled();
  await editor.drag([200, 150], [250, 150]).settled();
  expect(editor.recorded).toHaveLength(2);
  expect(editor.editor.history.store.getState().undo).toEqual({ name: "Annotation 1", action: "Unite" });
  editor.press("control", "z");
  expect(editor.selected?.rings).toHaveLength(2);
  editor.press("control", "z");
  expect(editor.annotations).toEqual([annotationOf(1)]);
  editor.press("control", "y").press("control", "y");
  expect(has(editor, 225, 150)).toBe(true);
});

test("a stroke that encloses an area without painting it leaves a hole", async () => {
  const ring = Array.from({ length: 61 }, (_, i) => {
    const angle = (i / 60) * 2 * Math.PI;
    return [300 + 100 * Math.cos(angle), 240 + 100 * Math.sin(angle)] as const;
  });
  const editor = await new TestEditor()
    .choose("Brush")
    .drag(...ring)
    .settled();
  expect(editor.selected?.rings?.map((polygon) => polygon.length)).toEqual([2]);
  expect(has(editor, 300, 240)).toBe(false);
});

test("the part of a stroke outside the image is cut off", async () => {
  const editor = await new TestEditor().choose("Brush").drag([-50, 240], [10, 240], [630, 470], [900, 600]).settled();
  const flat = editor.selected?.rings?.flat(2) ?? [];
  const xs = flat.filter((_, i) => i % 2 === 0);
  const ys = flat.filter((_, i) => i % 2 === 1);
  expect([Math.min(...xs), Math.max(...xs)]).toEqual([0, 640]);
  expect(Math.max(...ys)).toBe(480);
});

test("a stroke completely outside the image does nothing", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).choose("Brush");
  await editor.drag([-100, 100], [-80, 200]).settled();
  expect(editor.recorded).toEqual([]);
});

test("Escape, a second finger or undo cancels a stroke", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).choose("Brush");
  const { pointer, ui } = editor.editor;
  const begin = () => {
    pointer.down(at(300, 300));
    pointer.move(at(350, 350));
    expect(editor.toolState).toBe("brush.stroking");
    expect(ui.store.getState().isDrawing).toBe(true);
  };
  begin();
  editor.press("escape");
  pointer.move(at(400, 400));
  pointer.up(at(400, 400));
  begin();
  pointer.abort();
  begin();
  editor.press("control", "z");
  pointer.up(at(400, 400));
  await editor.settled();
  expect(editor.recorded).toEqual([]);
  expect(editor.toolState).toBe("brush.idle");
  expect(ui.store.getState().isDrawing).toBe(false);
  expect(editor.selected?.uuid).toBe(uuidOf(1));
});

test("a stroke is cancelled when another annotation is selected during it", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1), annotationOf(2)])).click(150, 150).choose("Brush");
  editor.editor.pointer.down(at(300, 300));
  editor.editor.selection.selectAnnotation(annotationOf(1));
  editor.editor.pointer.move(at(320, 300));
  editor.editor.selection.selectAnnotation(annotationOf(2));
  editor.editor.pointer.up(at(350, 300));
  await editor.settled();
  expect(editor.recorded).toEqual([]);
});

test("a hidden annotation is shown when it is painted on", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).choose("Brush");
  editor.editor.layers.hideAll();
  await editor.click(300, 300).settled();
  expect(editor.editor.layers.isVisible(annotationOf(1))).toBe(true);
  expect(editor.selected?.rings).toHaveLength(2);
});

test("a crowd and a box can be painted on", async () => {
  const crowd = annotationOf(1, { rings: null, rle: CROWD, iscrowd: true });
  const box = annotationOf(2, { rings: null, bbox: [100, 100, 100, 100] });
  const editor = new TestEditor(sceneOf([crowd, box])).choose("Select");
  for (const annotation of [crowd, box]) {
    editor.editor.selection.selectAnnotation(annotation);
    await editor.choose("Brush").click(500, 100).settled();
    expect(has(editor, 500, 100)).toBe(true);
    expect(editor.selected?.rings).toHaveLength(2);
  }
  expect(has(editor, 150, 150)).toBe(true);
  expect(editor.selected?.isbbox).toBe(false);
});

test("the first stroke with nothing selected creates an annotation", async () => {
  const editor = await new TestEditor(sceneOf([annotationOf(1)])).choose("Brush").click(400, 300).settled();
  expect(editor.annotations).toHaveLength(2);
  expect(editor.annotations[0]?.rings).toEqual([[SQUARE]]);
});

test("[ and ] change the radius by 2, braces by 10, and keys never make it less than 1", () => {
  const editor = new TestEditor().choose("Brush");
  const radius = () => Reflect.get(editor.editor.toolbox.optionsOf(editor.editor.toolbox.tool), "radius");
  editor.press("]").press("]").press("[");
  expect(radius()).toBe(32);
  editor.press("}");
  expect(radius()).toBe(42);
  for (let i = 0; i < 30; i++) editor.press("[");
  expect(radius()).toBe(1);
  editor.press("{");
  expect(radius()).toBe(1);
  expect(editor.preferences.at(-1)).toEqual({ brush: { radius: 1, strokeColor: "#ffffff", pressure: true } });
});

test("the radius keys do nothing with other tools", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).press("]").choose("Polygon").press("[");
  expect(editor.preferences).toEqual([]);
});

test("a radius of 0 is kept, and paints nothing", async () => {
  const editor = await new TestEditor(withBrush({ radius: 0 })).choose("Brush").click(200, 200).settled();
  expect(editor.editor.toolbox.optionsOf(editor.editor.toolbox.tool)).toMatchObject({ radius: 0 });
  expect(editor.selected?.rings).toEqual([]);
});

test.each([
  [{ radius: -3 }, 0],
  [{ radius: 5000 }, 1000],
  [{ radius: "30" }, 30],
  [{ radius: Number.NaN }, 30],
  ["nonsense", 30],
])("stored options %j mean a radius of %d", (brush, radius) => {
  const editor = new TestEditor(sceneOf([], { preferences: { brush } as never })).choose("Brush");
  expect(editor.editor.toolbox.optionsOf(editor.editor.toolbox.tool)).toMatchObject({ radius, strokeColor: "#ffffff" });
});

test("a stroke with a very large number of positions is one smooth outline", async () => {
  const wild = Array.from(
    { length: 1000 },
    (_, i) => [320 + 200 * Math.sin(i / 9), 240 + 150 * Math.cos(i / 7)] as const,
  );
  const editor = await new TestEditor()
    .choose("Brush")
    .drag(...wild)
    .settled();
  expect(editor.recorded.filter(({ action }) => action === "modify")).toHaveLength(1);
  for (const [x, y] of wild) expect(has(editor, x, y)).toBe(true);
});

test("the pressure of a pen changes the radius along a stroke, unless that is switched off", async () => {
  const draw = async (brush: { radius: number; pressure?: boolean }, pressures: (number | undefined)[]) => {
    const editor = new TestEditor(sceneOf([], { preferences: { brush } })).choose("Brush");
    const { pointer } = editor.editor;
    const pen = (x: number, pressure: number | undefined) => ({
      ...at(x, 200),
      ...(pressure !== undefined && { kind: "pen" as const, pressure }),
    });
    const [first, ...others] = pressures;
    pointer.down(pen(100, first));
    for (const [i, pressure] of others.entries()) pointer.move(pen(200 + 100 * i, pressure));
    pointer.up(pen(100 * pressures.length, 0));
    await editor.settled();
    return [105, 200, 300].map((x) => [8, 15, 25].filter((away) => has(editor, x, 200 + away)).length);
  };
  expect(await draw({ radius: 30 }, [0.1, 0.4, 1])).toEqual([1, 2, 3]);
  expect(await draw({ radius: 30, pressure: false }, [0.1, 0.4, 1])).toEqual([3, 3, 3]);
  expect(await draw({ radius: 30 }, [undefined, undefined, undefined])).toEqual([3, 3, 3]);
  // Browsers report 0.5 for pens that do not measure pressure.
  expect(await draw({ radius: 30 }, [0.5, 0.5, 0.5])).toEqual([3, 3, 3]);
});

test("a tap of a pen has the radius of its highest pressure", async () => {
  const editor = new TestEditor(withBrush({ radius: 30 })).choose("Brush");
  const { pointer } = editor.editor;
  const pen = (pressure: number) => ({ ...at(200, 200), kind: "pen" as const, pressure });
  pointer.down(pen(0.05));
  for (const pressure of [0.3, 1, 0.4]) pointer.move(pen(pressure));
  pointer.up(pen(0));
  await editor.settled();
  expect([has(editor, 200, 229), has(editor, 200, 231)]).toEqual([true, false]);
});
