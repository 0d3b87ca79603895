import { expect, test } from "vitest";
import { followRing } from "../../../../shared/geometry/operations/followRing";

const SQUARE = [0, 0, 10, 0, 10, 10, 0, 10];
const top = (x: number) => ({ x, y: 0, after: 0 });
const right = (y: number) => ({ x: 10, y, after: 1 });
const left = (y: number) => ({ x: 0, y, after: 3 });

test("there is no vertex between two points on one side, in either direction", () => {
  expect(followRing(SQUARE, top(2), top(8))).toEqual([]);
  expect(followRing(SQUARE, top(8), top(2))).toEqual([]);
});

test("the shorter way is taken, forward or backward", () => {
  expect(followRing(SQUARE, top(8), right(4))).toEqual([10, 0]);
  expect(followRing(SQUARE, right(4), top(8))).toEqual([10, 0]);
  expect(followRing(SQUARE, top(2), left(4))).toEqual([0, 0]);
  expect(followRing(SQUARE, left(6), right(7))).toEqual([0, 10, 10, 10]);
});

test("vertices that are the points themselves are not repeated", () => {
  expect(followRing(SQUARE, { x: 0, y: 0, after: 0 }, { x: 10, y: 10, after: 2 })).toHaveLength(2);
  expect(followRing(SQUARE, { x: 10, y: 0, after: 1 }, { x: 10, y: 10, after: 2 })).toEqual([]);
  expect(followRing(SQUARE, { x: 0, y: 10, after: 3 }, { x: 0, y: 0, after: 0 })).toEqual([]);
});
