import { expect, test } from "vitest";
import { boxOf, nearestDot, type Shape, Shapes } from "../../../../../web/annotator/canvas/shapes/shapes";

function shapeOf(uuid: string, ring: number[], dots: Shape["dots"] = []): Shape {
  const rings = ring.length > 0 ? [[ring]] : [];
  return { ...boxOf(rings, dots)!, uuid, rings, color: "#000000", dots, lines: [] };
}

const square = (x: number, y: number, side: number) => [x, y, x + side, y, x + side, y + side, x, y + side];
const ALL = { minX: -1e9, minY: -1e9, maxX: 1e9, maxY: 1e9 };

const dot = (x: number, y: number) => ({ label: 1, x, y, color: "#ffffff", filled: true });

test("large shapes are painted before small ones, and only those within the box", () => {
  const shapes = new Shapes();
  shapes.load([
    shapeOf("small", square(10, 10, 5)),
    shapeOf("far", square(900, 900, 5)),
    shapeOf("big", square(0, 0, 50)),
  ]);
  expect(shapes.within({ minX: 0, minY: 0, maxX: 60, maxY: 60 }).map(({ uuid }) => uuid)).toEqual(["big", "small"]);
});

test("the bounds of all shapes are only a box, and not the tree of the shapes", () => {
  const shapes = new Shapes();
  expect(shapes.bounds()).toBeNull();
  shapes.load([shapeOf("a", square(10, 20, 5)), shapeOf("b", square(900, 800, 5))]);
  expect(shapes.bounds()).toStrictEqual({ minX: 10, minY: 20, maxX: 905, maxY: 805 });
});

test("the selected shape is not among the painted shapes, but can be hit", () => {
  const shapes = new Shapes();
  shapes.load([shapeOf("a", square(0, 0, 50))]);
  shapes.select("a");
  expect(shapes.within(ALL)).toEqual([]);
  expect(shapes.at({ x: 20, y: 20 }, 3)?.uuid).toBe("a");
});

test("a point near an outline hits it, within the radius", () => {
  const shapes = new Shapes();
  shapes.load([shapeOf("a", square(0, 0, 50))]);
  expect(shapes.at({ x: 53, y: 20 }, 5)?.uuid).toBe("a");
  expect(shapes.at({ x: 57, y: 20 }, 5)).toBeNull();
});

test("keypoints alone can be hit", () => {
  const shapes = new Shapes();
  shapes.load([shapeOf("a", [], [dot(30, 30)])]);
  expect(shapes.at({ x: 32, y: 30 }, 5)?.uuid).toBe("a");
  expect(shapes.at({ x: 38, y: 30 }, 5)).toBeNull();
  expect(shapes.at({ x: 38, y: 30 }, 5, 8)?.uuid).toBe("a");
});

test("a keypoint of a small shape wins over the large shape around it", () => {
  const shapes = new Shapes();
  shapes.load([shapeOf("large", square(0, 0, 100)), shapeOf("small", [], [dot(30, 30), dot(50, 40)])]);
  expect(shapes.at({ x: 33, y: 31 }, 5, 8)?.uuid).toBe("small");
  expect(shapes.at({ x: 70, y: 70 }, 5, 8)?.uuid).toBe("large");
});

test("an edge between keypoints can be hit", () => {
  const shapes = new Shapes();
  const ends = [dot(20, 20), dot(80, 20)] as const;
  shapes.load([{ ...shapeOf("a", [], [...ends]), lines: [ends] }]);
  expect(shapes.at({ x: 50, y: 23 }, 5)?.uuid).toBe("a");
  expect(shapes.at({ x: 50, y: 27 }, 5)).toBeNull();
});

test("the nearer one of two keypoints is hit", () => {
  expect(nearestDot([dot(10, 10), dot(16, 10)], { x: 14, y: 10 }, 8)).toMatchObject({ x: 16 });
  expect(nearestDot([dot(10, 10)], { x: 30, y: 10 }, 8)).toBeNull();
});

test("the repainted area covers the shape's old and new places", () => {
  const shapes = new Shapes();
  shapes.load([shapeOf("a", square(0, 0, 10))]);
  expect(shapes.set("a", shapeOf("a", square(100, 100, 10)))).toEqual({ minX: 0, minY: 0, maxX: 110, maxY: 110 });
  expect(shapes.at({ x: 5, y: 5 }, 1)).toBeNull();
  expect(shapes.set("a", null)).toMatchObject({ minX: 100, minY: 100, maxX: 110, maxY: 110 });
  expect(shapes.size).toBe(0);
});

test("a shape without points takes up no area", () => {
  expect(boxOf([], [])).toBeNull();
  expect(boxOf([[[]]], [])).toBeNull();
});

test("marks stay with the uuid when a shape is replaced or reloaded, and also in the mirrored copy", () => {
  const shapes = new Shapes();
  const copied: string[][] = [];
  shapes.mirrorTo({ load: () => undefined, set: () => undefined, mark: (uuids) => copied.push([...uuids]) });
  const marked = () => shapes.within(ALL).flatMap(({ uuid, isMarked }) => (isMarked ? [uuid] : []));
  shapes.load([shapeOf("a", square(0, 0, 50)), shapeOf("b", square(100, 0, 50))]);
  shapes.mark(new Set(["a"]));
  shapes.set("a", shapeOf("a", square(10, 0, 50)));
  expect(marked()).toEqual(["a"]);
  shapes.load([shapeOf("a", square(0, 0, 50)), shapeOf("b", square(100, 0, 50))]);
  expect(marked()).toEqual(["a"]);
  shapes.mark(new Set());
  expect(marked()).toEqual([]);
  expect(copied).toEqual([["a"], []]);
});

test("only shapes that lie entirely in a box are inside it", () => {
  const shapes = new Shapes();
  shapes.load([
    shapeOf("in", square(10, 10, 5)),
    shapeOf("across", square(40, 10, 50)),
    shapeOf("around", square(0, 0, 99)),
  ]);
  expect(shapes.inside({ minX: 5, minY: 5, maxX: 50, maxY: 50 })).toEqual(["in"]);
});

test("a hit can be limited to some shapes, even below others", () => {
  const shapes = new Shapes();
  shapes.load([shapeOf("small", square(10, 10, 5)), shapeOf("big", square(0, 0, 50))]);
  const point = { x: 12, y: 12 };
  expect(shapes.at(point, 0, 0, new Set(["big"]))?.uuid).toBe("big");
  expect(shapes.at(point, 0, 0, new Set())).toBeNull();
});
