import { describe, expect, it, test } from "vitest";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

const TRIANGLE = [
  [10, 10],
  [90, 10],
  [50, 80],
] as const;

test("clicks and Enter create an annotation with exactly the clicked points", () => {
  const editor = new TestEditor().choose("Polygon").clicks(...TRIANGLE);
  expect(editor.toolState).toBe("polygon.drawing");
  editor.press("enter");
  expect(editor.annotations).toHaveLength(1);
  expect(editor.selected).toMatchObject({ category_id: 1, rings: [[[10, 10, 90, 10, 50, 80]]], isbbox: false });
  expect(editor.recorded.map(({ action }) => action)).toEqual(["create", "modify"]);
});

test("a click near the first point closes the outline without adding a corner", () => {
  const editor = new TestEditor().choose("Polygon").clicks(...TRIANGLE, [13, 12]);
  expect(editor.selected?.rings).toEqual([[[10, 10, 90, 10, 50, 80]]]);
  expect(editor.toolState).toBe("polygon.idle");
});

test("two points cannot be closed", () => {
  const editor = new TestEditor().choose("Polygon").clicks([10, 10], [90, 10], [11, 11]).press("enter");
  expect(editor.annotations.map(({ rings }) => rings)).toEqual([[[[10, 10, 90, 10, 11, 11]]]]);
  const other = new TestEditor().choose("Polygon").clicks([10, 10], [90, 10]).press("enter");
  expect(other.selected?.rings).toEqual([]);
  expect(other.toolState).toBe("polygon.drawing");
});

test("with a complete distance of 0, a click near the first point does not close the outline, but Enter does", () => {
  const scene = sceneOf([], { preferences: { polygon: { completeDistance: 0 } } });
  const editor = new TestEditor(scene).choose("Polygon").clicks(...TRIANGLE, [11, 10]);
  expect(editor.selected?.rings).toEqual([]);
  editor.press("enter");
  expect(editor.selected?.rings?.[0]?.[0]).toHaveLength(8);
});

test("a double click closes the outline", () => {
  const editor = new TestEditor().choose("Polygon").clicks(...TRIANGLE);
  editor.click(50, 80, { clicks: 2 });
  expect(editor.selected?.rings).toEqual([[[10, 10, 90, 10, 50, 80]]]);
});

test("dragging draws free-hand, with points at least the minimum distance apart, and closes at the start", async () => {
  const circle = Array.from({ length: 200 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 199;
    return [200 + 60 * Math.cos(angle), 200 + 60 * Math.sin(angle)] as const;
  });
  const scene = sceneOf([], { preferences: { settings: { simplify: 0 } } });
  const editor = await new TestEditor(scene)
    .choose("Polygon")
    .drag(...circle)
    .settled();
  const ring = editor.selected?.rings?.[0]?.[0] ?? [];
  expect(ring.length).toBeGreaterThan(60);
  for (let i = 2; i < ring.length; i += 2)
    expect(Math.hypot(ring[i]! - ring[i - 2]!, ring[i + 1]! - ring[i - 1]!)).toBeGreaterThanOrEqual(2);
  expect(editor.toolState).toBe("polygon.idle");
});

test("a free-hand outline is simplified, by one image pixel by default", async () => {
  const wall = Array.from({ length: 200 }, (_, i) => [10 + 2 * i, 50 + (i % 2) * 0.9] as const);
  const editor = await new TestEditor()
    .choose("Polygon")
    .drag(...wall, [400, 300], [10, 300], [10, 51])
    .settled();
  expect(editor.selected?.rings?.flat(2).length).toBeLessThan(12);
});

test("a quick loop of few points closes when released at its start", async () => {
  const loop = Array.from({ length: 13 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 12;
    return [200 + 60 * Math.cos(angle), 200 + 60 * Math.sin(angle)] as const;
  });
  const editor = await new TestEditor()
    .choose("Polygon")
    .drag(...loop)
    .settled();
  expect(editor.toolState).toBe("polygon.idle");
  expect(editor.selected?.rings?.[0]?.[0]).toHaveLength(24);
});

test("Backspace removes one point, undo the last gesture, redo restores it", () => {
  const editor = new TestEditor()
    .choose("Polygon")
    .clicks([10, 10], [90, 10], [95, 40])
    .press("backspace")
    .clicks([50, 80])
    .press("control", "z")
    .press("control", "y")
    .press("enter");
  expect(editor.selected?.rings).toEqual([[[10, 10, 90, 10, 50, 80]]]);
});

test("Escape cancels the outline and changes nothing", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]))
    .click(150, 150)
    .choose("Polygon")
    .clicks(...TRIANGLE)
    .press("escape");
  expect(editor.toolState).toBe("polygon.idle");
  expect(editor.recorded).toHaveLength(0);
});

test("choosing another tool cancels the outline", () => {
  const editor = new TestEditor()
    .choose("Polygon")
    .clicks(...TRIANGLE)
    .press("s")
    .press("v");
  expect(editor.toolState).toBe("polygon.idle");
  expect(editor.selected?.rings).toEqual([]);
});

test("a second finger cancels the press", () => {
  const editor = new TestEditor().choose("Polygon").clicks([10, 10], [90, 10]);
  editor.editor.pointer.down({ ...point(50, 80) });
  editor.editor.pointer.abort();
  editor.clicks([60, 90]).press("enter");
  expect(editor.selected?.rings).toEqual([[[10, 10, 90, 10, 60, 90]]]);
});

test("undone points are discarded when undo continues to earlier steps", async () => {
  const editor = new TestEditor()
    .choose("Polygon")
    .clicks(...TRIANGLE)
    .press("enter");
  await editor.settled();
  editor.click(200, 200).press("control", "z").press("control", "z").press("control", "y");
  await editor.settled();
  expect(editor.toolState).toBe("polygon.idle");
  expect(editor.selected?.rings).toEqual([[TRIANGLE.flat()]]);
});

test("a polygon is united with the selected annotation, and one undo removes it again", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.click(150, 150).choose("Polygon").clicks([150, 150], [300, 150], [300, 180], [150, 180]).press("enter");
  await editor.settled();
  expect(editor.annotations).toHaveLength(1);
  const [polygon] = editor.selected?.rings ?? [];
  expect(polygon).toHaveLength(1);
  expect(polygon?.[0]).toHaveLength(16);
  editor.press("control", "z");
  expect(editor.selected?.rings).toEqual(annotationOf(1).rings);
});

test("points outside the image are moved to its edge", () => {
  const editor = new TestEditor().choose("Polygon").clicks([-50, 10], [700, 10], [50, 900]).press("enter");
  expect(editor.selected?.rings).toEqual([[[0, 10, 640, 10, 50, 480]]]);
});

test("drawing without a category asks for one, and draws nothing", () => {
  const editor = new TestEditor(sceneOf([], { categories: [] }))
    .choose("Polygon")
    .clicks(...TRIANGLE)
    .press("enter");
  expect(editor.editor.ui.store.getState().dialog).toMatchObject({ kind: "new category", needed: true });
  expect(editor.recorded).toHaveLength(0);
});

const point = (x: number, y: number) => ({
  image: { x, y },
  screen: { x, y },
  shift: false,
  alt: false,
  kind: "touch" as const,
  clicks: 1,
});

describe("an unfinished outline that is discarded", () => {
  it.each(["escape", "r", "s"])("by %s comes back with undo", (key) => {
    const editor = new TestEditor().choose("Polygon").clicks([10, 10], [90, 10], [90, 90]);
    const { sketch } = editor;
    editor.press(key);
    expect(editor.sketch).toBeNull();
    editor.press("control", "z");
    expect(editor.toolState).toBe("polygon.drawing");
    expect(editor.sketch).toEqual(sketch);
    editor.click(10, 90).press("enter");
    expect(editor.selected?.rings).toEqual([[[10, 10, 90, 10, 90, 90, 10, 90]]]);
  });

  it("is announced once, not again when the idle tool is left", () => {
    const editor = new TestEditor().choose("Polygon").clicks([10, 10], [90, 10], [90, 90]).press("escape");
    const count = () => editor.editor.ui.store.getState().messageCount;
    const before = count();
    editor.press("r");
    expect(count()).toBe(before);
    editor.press("control", "z");
    expect(editor.toolState).toBe("polygon.drawing");
  });

  it("does not come back after a later step", () => {
    const editor = new TestEditor().choose("Polygon").clicks([10, 10], [90, 10], [90, 90]).choose("BBox");
    editor.drag([200, 200], [260, 260]).press("control", "z");
    expect(editor.toolState).toBe("bbox.idle");
    expect(editor.selected?.rings).toEqual([]);
  });

  it("comes back although its annotation was empty and removed with it", () => {
    const editor = new TestEditor(sceneOf([annotationOf(1)])).choose("Polygon").clicks([10, 10], [90, 10], [90, 90]);
    editor.editor.actions.selectListed(editor.editor.document.annotation(uuidOf(1))!);
    editor.press("s");
    expect(editor.annotations).toHaveLength(1);
    editor.press("control", "z");
    expect(editor.toolState).toBe("polygon.drawing");
    expect(editor.annotations).toHaveLength(2);
  });

  it("does not come back in label mode", () => {
    const editor = new TestEditor().choose("Polygon").clicks([10, 10], [90, 10], [90, 90]);
    editor.editor.actions.toggleMode();
    editor.press("control", "z");
    expect(editor.editor.toolbox.tool.name).toBe("Select");
  });
});

test("Enter says why an outline of two points cannot be closed, and keeps it", () => {
  const editor = new TestEditor().choose("Polygon").clicks([10, 10], [90, 10]).press("enter");
  expect(editor.editor.ui.store.getState().message).toBe("An outline needs at least three points.");
  expect(editor.toolState).toBe("polygon.drawing");
});

test("an outline that is added to a box says so", () => {
  const editor = new TestEditor().choose("BBox").drag([10, 10], [90, 90]).choose("Polygon");
  editor.clicks([50, 50], [150, 50], [150, 150]).press("enter");
  expect(editor.editor.ui.store.getState().message).toContain("added to the selected box");
});

test("a double click on the first point closes the outline and does not begin another", () => {
  const editor = new TestEditor()
    .choose("Polygon")
    .clicks(...TRIANGLE, [10, 10])
    .click(10, 10, { clicks: 2 })
    .click(10, 10, { clicks: 3 });
  expect(editor.toolState).toBe("polygon.idle");
  expect(editor.sketch).toBeNull();
  editor.press(" ").clicks([200, 200], [300, 200], [250, 300]).press("enter");
  expect(editor.annotations.map(({ rings }) => rings)).toEqual([
    [[TRIANGLE.flat()]],
    [[[200, 200, 300, 200, 250, 300]]],
  ]);
});

describe("redo after a press that a second finger cancelled", () => {
  const pinch = ({ editor }: TestEditor) => {
    editor.pointer.down(point(300, 300));
    editor.pointer.abort();
  };

  it("restores the step that was undone last, not the point of the press", async () => {
    const editor = new TestEditor().choose("Polygon").clicks(...TRIANGLE);
    await editor.press("enter").settled();
    editor.press("control", "z");
    pinch(editor);
    await editor.press("control", "y").settled();
    expect(editor.toolState).toBe("polygon.idle");
    expect(editor.selected?.rings).toEqual([[TRIANGLE.flat()]]);
  });

  it("restores the point that was undone before the press", () => {
    const editor = new TestEditor()
      .choose("Polygon")
      .clicks(...TRIANGLE)
      .press("control", "z");
    pinch(editor);
    editor.press("control", "y").press("enter");
    expect(editor.selected?.rings).toEqual([[TRIANGLE.flat()]]);
  });
});
