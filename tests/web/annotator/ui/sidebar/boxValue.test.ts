import { expect, test } from "vitest";
import { rotatedBoxOf, rotatedRing, unrotated } from "../../../../../shared/geometry/forms/rotatedBox";
import { withBoxValue, withRotatedValue } from "../../../../../web/annotator/ui/sidebar/boxValue";

const image = { width: 640, height: 480 };

test("a typed position moves the box within the image and keeps its size", () => {
  expect(withBoxValue([10, 20, 30, 40], 0, 12.5, image)).toEqual([12.5, 20, 30, 40]);
  expect(withBoxValue([10, 20, 30, 40], 0, -5, image)).toEqual([0, 20, 30, 40]);
  expect(withBoxValue([10, 20, 30, 40], 1, 1000, image)).toEqual([10, 440, 30, 40]);
});

test("a typed size keeps the upper left corner, and is limited to the image and to at least one pixel", () => {
  expect(withBoxValue([10, 20, 30, 40], 2, 100, image)).toEqual([10, 20, 100, 40]);
  expect(withBoxValue([10, 20, 30, 40], 2, 1000, image)).toEqual([10, 20, 630, 40]);
  expect(withBoxValue([10, 20, 30, 40], 3, 0, image)).toEqual([10, 20, 30, 1]);
});

test("a typed angle rotates a box about its middle, and 0 makes the box upright again", () => {
  const upright = [10, 20, 50, 20, 50, 40, 10, 40];
  const rotated = withRotatedValue(upright, 4, 30);
  expect(rotatedBoxOf([[rotated]])).toEqual(rotated);
  expect(unrotated(rotated)).toEqual({ box: [10, 20, 40, 20], degrees: expect.closeTo(30, 2) });
  expect(withRotatedValue(rotated, 4, -330).map(Math.round)).toEqual(rotated.map(Math.round));
  expect(withRotatedValue(rotated, 4, 0)).toEqual(upright);
});

test("a rotated box keeps its middle when its size changes, and its rotation when it moves", () => {
  const rotated = rotatedRing({ box: [10, 20, 40, 20], degrees: 30 });
  expect(unrotated(withRotatedValue(rotated, 2, 60)).box).toEqual([0, 20, 60, 20].map((n) => expect.closeTo(n, 2)));
  expect(unrotated(withRotatedValue(rotated, 3, 0)).box[3]).toBeCloseTo(1, 2);
  const moved = unrotated(withRotatedValue(rotated, 0, 100));
  expect(moved).toEqual({ box: [100, 20, 40, 20].map((n) => expect.closeTo(n, 2)), degrees: expect.closeTo(30, 1) });
});
