import { expect, test } from "vitest";
import { measureWithLines } from "../../../../shared/coco/measure";
import { combine } from "../../../../shared/geometry/combine";
import {
  divideLines,
  isOnlyLines,
  lineOf,
  ringOfLine,
  segmentOfLine,
  vertexOfLine,
} from "../../../../shared/geometry/lines/line";
import { mergeShapes } from "../../../../shared/geometry/operations/merge";
import { smoothRings } from "../../../../shared/geometry/operations/smooth";
import { splitShape } from "../../../../shared/geometry/operations/split";
import { simplifyRings } from "../../../../shared/geometry/simplify";
import { paint } from "../../../../shared/geometry/stroke";

const LINE = [10, 20, 40.5, 20, 70, 60];
const RING = [10, 20, 40.5, 20, 70, 60, 70, 60, 40.5, 20];
const SQUARE = [0, 0, 100, 0, 100, 100, 0, 100];

test("a line is stored there and back, and recognised from that", () => {
  expect(ringOfLine(LINE)).toEqual(RING);
  expect(lineOf(RING)).toEqual(LINE);
  expect(ringOfLine([1, 2, 3, 4])).toEqual([1, 2, 3, 4, 3, 4]);
  expect(lineOf([1, 2, 3, 4, 3, 4])).toEqual([1, 2, 3, 4]);
});

test("outlines, even thin ones, are not lines", () => {
  for (const ring of [SQUARE, [0, 0, 9, 0, 9, 9], [0, 0, 9, 9], [], [0, 0, 9, 0, 18, 0, 18, 0.5, 9, 0]])
    expect(lineOf(ring)).toBeNull();
});

test("vertices and segments of the ring are those of the line, on the way back too", () => {
  expect([0, 1, 2, 3, 4].map((vertex) => vertexOfLine(RING, vertex))).toEqual([0, 1, 2, 2, 1]);
  expect([0, 1, 2, 3, 4].map((vertex) => segmentOfLine(RING, vertex))).toEqual([0, 1, 1, 1, 0]);
});

test("a shape of lines has no area and the box of its points", () => {
  expect(measureWithLines([[RING]], 200, 200)).toEqual({ area: 0, bbox: [10, 20, 60, 40] });
  expect(measureWithLines([[ringOfLine([5, 7, 50, 7])]], 200, 200)).toEqual({ area: 0, bbox: [5, 7, 45, 0] });
  expect(measureWithLines([[RING], [[100, 100, 120, 100, 120, 120, 100, 120]]], 200, 200)).toEqual({
    area: 400,
    bbox: [10, 20, 110, 100],
  });
  expect(() => measureWithLines([[[Number.NaN, 0, 1, 1, 1, 1]]], 9, 9)).toThrow(RangeError);
});

test("adding, cutting, erasing and merging areas leave lines as they are", () => {
  const lines = [[RING]];
  const shape = [[[...SQUARE]], [RING]];
  expect(combine("unite", lines, [[SQUARE]])).toEqual([[expect.arrayContaining(SQUARE)], [RING]]);
  expect(combine("subtract", shape, [[SQUARE]])).toEqual([[RING]]);
  expect(combine("subtract", lines, [[SQUARE]])).toBe(lines);
  const eraser = { operation: "subtract" as const, simplify: 0, minArea: 9 };
  expect(paint(lines, { path: [40, 20], radius: 20 }, eraser)).toBe(lines);
  expect(mergeShapes([shape, [[ringOfLine([0, 0, 9, 9])]]])).toEqual([[SQUARE], [RING], [[0, 0, 9, 9, 9, 9]]]);
});

test("a split keeps the lines of the shape, and does not cut a line alone", () => {
  expect(splitShape([[SQUARE], [RING]], [-5, 90, 105, 90])).toHaveLength(2);
  expect(splitShape([[SQUARE], [RING]], [-5, 90, 105, 90]).flat()).toContainEqual([RING]);
  expect(splitShape([[RING]], [20, 0, 20, 90])).toEqual([[[RING]]]);
});

test("a simplified or smoothed line is a line with fewer points", () => {
  const straight = ringOfLine([0, 0, 10, 0.2, 20, 0, 30, 0.1, 40, 0]);
  for (const rings of [simplifyRings([[straight]], 1), smoothRings([[straight]], 2)])
    expect(lineOf(rings[0]![0]!)).toEqual([0, 0, 40, 0]);
});

test("lines and areas of a shape are separated", () => {
  expect(divideLines([[SQUARE], [RING]])).toEqual({ lines: [[RING]], areas: [[SQUARE]] });
  expect([isOnlyLines([]), isOnlyLines([[RING]]), isOnlyLines([[RING], [SQUARE]])]).toEqual([false, true, false]);
});
