import { expect, test } from "vitest";
import type { Ring } from "../../../../shared/entities/shape";
import {
  boxOnSide,
  handleOf,
  middleOf,
  moveCorner,
  moveSide,
  rotateBox,
  rotatedBoxOf,
  rotationOf,
} from "../../../../shared/geometry/forms/rotatedBox";
import { signedArea } from "../../../../shared/geometry/ring";

/** 40 by 20, rotated by 30 degrees. */
const BOX = rotateBox([100, 100, 140, 100, 140, 120, 100, 120], 30);
const UPRIGHT = [100, 100, 140, 100, 140, 120, 100, 120];
const isBox = (ring: Ring) => rotatedBoxOf([[ring]]) !== null;
const area = (ring: Ring) => Math.abs(signedArea(ring));

test("a rotated rectangle is recognised by its points; upright boxes and other outlines are not rotated boxes", () => {
  expect(isBox(BOX)).toBe(true);
  expect(isBox(UPRIGHT)).toBe(false);
  expect(isBox([0, 0, 40, 10, 50, 30, 0, 20])).toBe(false);
  expect(isBox([0, 0, 40, 10, 50, 30, 10, 20])).toBe(false);
  expect(rotatedBoxOf([[BOX, BOX]])).toBeNull();
  expect(rotatedBoxOf([[BOX], [BOX]])).toBeNull();
  expect(rotatedBoxOf([])).toBeNull();
});

test("rotation keeps middle and area, and its angle adds up", () => {
  expect(rotationOf(BOX)).toBeCloseTo(30, 1);
  expect(middleOf(BOX)).toEqual({ x: 120, y: 110 });
  expect(area(BOX)).toBeCloseTo(800, 0);
  expect(rotationOf(rotateBox(BOX, 200))).toBeCloseTo(230, 1);
});

test("a box rotated back is upright to the last digit", () => {
  expect(rotateBox(BOX, -30)).toEqual(UPRIGHT);
  expect(rotateBox(BOX, 60.02)).toEqual([110, 90, 130, 90, 130, 130, 110, 130]);
});

test("three points make a box: the ends of a side, and a point on the opposite side", () => {
  const ring = boxOnSide({ x: 0, y: 0 }, { x: 30, y: 40 }, { x: -8, y: 6 });
  expect(ring).toEqual([0, 0, 30, 40, 22, 46, -8, 6]);
  expect(isBox(ring)).toBe(true);
});

test.each([0, 1, 2, 3])("a moved corner or side %d leaves a rectangle of the same rotation", (at) => {
  const corner = moveCorner(BOX, at, { x: BOX[2 * at]! + 7, y: BOX[2 * at + 1]! - 3 });
  expect(isBox(corner)).toBe(true);
  expect(corner.slice(2 * ((at + 2) % 4), 2 * ((at + 2) % 4) + 2)).toEqual(
    BOX.slice(2 * ((at + 2) % 4), 2 * ((at + 2) % 4) + 2),
  );
  const side = moveSide(BOX, at, { x: 150, y: 90 });
  expect(isBox(side)).toBe(true);
  expect(rotationOf(corner) % 180).toBeCloseTo(30, 0);
  expect(rotationOf(side) % 180).toBeCloseTo(30, 0);
});

test("the handle lies outside the upper side", () => {
  const { from, to } = handleOf(UPRIGHT, 25);
  expect([from, to]).toEqual([
    { x: 120, y: 100 },
    { x: 120, y: 75 },
  ]);
});
