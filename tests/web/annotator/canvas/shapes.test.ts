import { expect, test } from "vitest";
import { boxOf, type Shape, Shapes } from "../../../../web/annotator/canvas/shapes";

function shapeOf(uuid: string, ring: number[], dots: Shape["dots"] = []): Shape {
  const rings = ring.length > 0 ? [[ring]] : [];
  return { ...boxOf(rings, dots)!, uuid, rings, color: "#000000", dots, lines: [] };
}

const square = (x: number, y: number, side: number) => [x, y, x + side, y, x + side, y + side, x, y + side];
const ALL = { minX: -1e9, minY: -1e9, maxX: 1e9, maxY: 1e9 };

test("large shapes are painted before small ones, and only those within the box", () => {
  const shapes = new Shapes();
  shapes.load([
    shapeOf("small", square(10, 10, 5)),
    shapeOf("far", square(900, 900, 5)),
    shapeOf("big", square(0, 0, 50)),
  ]);
  expect(shapes.within({ minX: 0, minY: 0, maxX: 60, maxY: 60 }).map(({ uuid }) => uuid)).toEqual(["big", "small"]);
});

test("the shape in hand is not painted, but found", () => {
  const shapes = new Shapes();
  shapes.load([shapeOf("a", square(0, 0, 50))]);
  shapes.hold("a");
  expect(shapes.within(ALL)).toEqual([]);
  expect(shapes.at({ x: 20, y: 20 }, 3)?.uuid).toBe("a");
});

test("near an outline counts, within the radius", () => {
  const shapes = new Shapes();
  shapes.load([shapeOf("a", square(0, 0, 50))]);
  expect(shapes.at({ x: 53, y: 20 }, 5)?.uuid).toBe("a");
  expect(shapes.at({ x: 57, y: 20 }, 5)).toBeNull();
});

test("keypoints alone can be hit", () => {
  const shapes = new Shapes();
  shapes.load([shapeOf("a", [], [{ x: 30, y: 30, color: "#ffffff", filled: true }])]);
  expect(shapes.at({ x: 32, y: 30 }, 5)?.uuid).toBe("a");
});

test("what must be painted again covers the old and the new place", () => {
  const shapes = new Shapes();
  shapes.load([shapeOf("a", square(0, 0, 10))]);
  expect(shapes.set("a", shapeOf("a", square(100, 100, 10)))).toEqual({ minX: 0, minY: 0, maxX: 110, maxY: 110 });
  expect(shapes.at({ x: 5, y: 5 }, 1)).toBeNull();
  expect(shapes.set("a", null)).toMatchObject({ minX: 100, minY: 100, maxX: 110, maxY: 110 });
  expect(shapes.size).toBe(0);
});

test("what has no points takes up nothing", () => {
  expect(boxOf([], [])).toBeNull();
  expect(boxOf([[[]]], [])).toBeNull();
});
