import { expect, test } from "vitest";
import { nameAt, placeNames, shownShapes } from "../../../../../web/annotator/canvas/aids/shapeNames";
import { type Shape, Shapes } from "../../../../../web/annotator/canvas/shapes/shapes";

const size = { width: 800, height: 600 };
const view = { zoom: 1, x: 0, y: 0 };
const textOf = ({ uuid }: Shape) => ({ text: uuid, width: 40 });

function shapesOf(boxes: Record<string, [number, number, number, number]>): Shapes {
  const shapes = new Shapes();
  shapes.load(
    Object.entries(boxes).map(([uuid, [minX, minY, maxX, maxY]]) => ({
      uuid,
      minX,
      minY,
      maxX,
      maxY,
      rings: [],
      color: "#ff0000",
      dots: [],
      lines: [],
    })),
  );
  return shapes;
}

test("names stand above shapes that are in view and large enough, the largest first", () => {
  const shapes = shapesOf({
    small: [150, 150, 160, 160],
    cat: [100, 100, 200, 200],
    dog: [300, 300, 500, 500],
    away: [900, 100, 1000, 200],
  });
  const placed = placeNames(shapes, view, size, textOf);
  expect(placed.map(({ text }) => text)).toEqual(["dog", "cat"]);
  expect(placed[1]).toMatchObject({ minX: 100, minY: 84, maxX: 140, maxY: 100 });
  expect(placeNames(shapes, { zoom: 4, x: -300, y: -300 }, size, textOf).map(({ text }) => text)).toContain("small");
});

test("the name of a shape that begins outside the canvas is at its edge", () => {
  const [placed] = placeNames(shapesOf({ cat: [-50, -50, 200, 200] }), view, size, textOf);
  expect(placed).toMatchObject({ minX: 0, minY: 0 });
});

test("a number stands above the highest point of its shape, also of a smaller one than a name", () => {
  const shapes = shapesOf({ "3": [100, 100, 120, 118] });
  expect(placeNames(shapes, view, size, textOf)).toEqual([]);
  const [middle] = placeNames(shapes, view, size, textOf, "number");
  expect(middle).toMatchObject({ minX: 90, maxX: 130, minY: 84 });
  shapes.set("3", { ...shapes.get("3")!, rings: [[[100, 118, 110, 118, 120, 100]]] });
  expect(placeNames(shapes, view, size, textOf, "number")[0]).toMatchObject({ minX: 100, maxX: 140 });
});

test("names do not overlap, shapes without a name get none, and at most 150 names are shown", () => {
  expect(placeNames(shapesOf({ a: [100, 100, 300, 300], b: [105, 105, 200, 200] }), view, size, textOf)).toHaveLength(
    1,
  );
  expect(placeNames(shapesOf({ "": [100, 100, 300, 300] }), view, size, textOf)).toEqual([]);
  const many = Array.from({ length: 1000 }, (_, i) => {
    const [x, y] = [60 * (i % 40), 40 * Math.floor(i / 40)];
    return [`n${i}`, [x, y, x + 50, y + 30]] as [string, [number, number, number, number]];
  });
  const shapes = shapesOf(Object.fromEntries(many));
  expect(placeNames(shapes, view, { width: 3000, height: 3000 }, textOf)).toHaveLength(150);
});

test("a point on a name belongs to its shape", () => {
  const place = { uuid: "one", text: "car", color: "#ff0000", minX: 10, minY: 20, maxX: 60, maxY: 36 };
  expect(nameAt([place], { x: 10, y: 20 })).toBe("one");
  expect(nameAt([place], { x: 59, y: 35 })).toBe("one");
  expect(nameAt([place], { x: 60, y: 30 })).toBeNull();
  expect(nameAt([], { x: 10, y: 20 })).toBeNull();
});

test("the name of a shape that is dragged follows it", () => {
  const shapes = shapesOf({ cat: [100, 100, 200, 200], dog: [300, 300, 500, 500] });
  const moved = { minX: 140, minY: 130, maxX: 240, maxY: 230 };
  const shown = shownShapes(shapes, ({ uuid }) => (uuid === "cat" ? moved : null));
  const placed = placeNames(shown, view, size, textOf);
  expect(placed.map(({ text, minX, minY }) => [text, minX, minY])).toEqual([
    ["dog", 300, 284],
    ["cat", 140, 114],
  ]);
});

test("the name of a shape that is only partly in view stands at its visible part", () => {
  const shapes = shapesOf({ hill: [0, 0, 2000, 1200] });
  // A triangle whose peak is at the right.
  shapes.set("hill", { ...shapes.get("hill")!, rings: [[[0, 1200, 1600, 0, 2000, 1200]]] });
  const placedAt = (x: number, y: number, zoom = 1) => placeNames(shapes, { zoom, x, y }, size, textOf)[0];
  // All of it is in view: above the peak.
  expect(placedAt(0, 100, 0.4)).toMatchObject({ minX: 620, minY: 84 });
  // The peak is right of the view: where the slope leaves it.
  expect(placedAt(-100, -500)).toMatchObject({ minX: 760, minY: 9 });
  // The peak is above the view, and the upper edge cuts the slope at 900.
  expect(placedAt(-600, -525)).toMatchObject({ minX: 280, minY: 0 });
  // Only a corner of its box is in view, where the shape has no part.
  expect(placedAt(0, 100)).toBeUndefined();
});

test("a name stays between the borders of the visible part of its shape", () => {
  const [right] = placeNames(shapesOf({ cat: [780, 100, 1000, 300] }), view, size, textOf);
  expect(right).toMatchObject({ minX: 760, maxX: 800 });
  const [left] = placeNames(shapesOf({ cat: [-400, 100, 300, 300] }), view, size, textOf);
  expect(left).toMatchObject({ minX: 0, minY: 84 });
});

test("the name of a shape that a gesture stretches stands above the highest point it is shown with", () => {
  const shapes = shapesOf({ hill: [100, 100, 200, 200] });
  shapes.set("hill", { ...shapes.get("hill")!, rings: [[[100, 200, 150, 100, 200, 200]]] });
  const shown = shownShapes(shapes, () => ({ minX: 100, minY: 300, maxX: 500, maxY: 700 }));
  expect(placeNames(shown, view, size, textOf)[0]).toMatchObject({ minX: 280, minY: 284 });
});
