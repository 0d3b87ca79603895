import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  closeRing,
  nearestOnOutline,
  nearestVertex,
  openRing,
  reverseRing,
  ringBounds,
  ringContains,
  segmentDistance,
  signedArea,
  translateRing,
} from "../../../shared/geometry/ring";
import { square, star } from "./shapes";

describe("a ring", () => {
  it("has a positive area if it is clockwise on screen", () => {
    expect(signedArea(square(3, 4, 10))).toBe(100);
    expect(signedArea(reverseRing(square(3, 4, 10)))).toBe(-100);
    expect(signedArea([])).toBe(0);
  });

  it("has bounds around all its points", () => {
    expect(ringBounds([5, 9, -1, 3, 2, 12])).toEqual([-1, 3, 6, 9]);
    expect(ringBounds([])).toEqual([0, 0, 0, 0]);
  });

  it("contains points by the even-odd rule", () => {
    const eight = [0, 0, 10, 10, 10, 0, 0, 10];
    expect(ringContains(eight, 1, 5)).toBe(true);
    expect(ringContains(eight, 9, 5)).toBe(true);
    expect(ringContains(eight, 5, 1)).toBe(false);
    expect(ringContains([], 0, 0)).toBe(false);
    fc.assert(
      fc.property(star, (ring) => {
        const [x, y, w, h] = ringBounds(ring);
        expect(ringContains(ring, x - 1, y + h / 2)).toBe(false);
        expect(ringContains(ring, x + w + 1, y + h / 2)).toBe(false);
      }),
    );
  });

  it("finds the nearest place on its outline, including the closing edge", () => {
    expect(nearestOnOutline(square(0, 0, 10), -3, 4)).toEqual({ after: 3, x: 0, y: 4, distance: 3 });
    expect(nearestOnOutline(square(0, 0, 10), 6, 11)).toEqual({ after: 2, x: 6, y: 10, distance: 1 });
    expect(nearestOnOutline([2, 3], 2, 5)).toEqual({ after: 0, x: 2, y: 3, distance: 2 });
    expect(nearestOnOutline([], 2, 5)).toBeNull();
    expect(segmentDistance(0, 0, 0, 0, 3, 4)).toBe(5);
    expect(segmentDistance(0, 0, 10, 0, 13, 4)).toBe(5);
  });

  it("finds its nearest vertex", () => {
    expect(nearestVertex(square(0, 0, 10), 9, 8)).toEqual({ vertex: 2, distance: Math.sqrt(5) });
    expect(nearestVertex([], 9, 8)).toBeNull();
  });

  it("moves, opens, closes and turns without loss", () => {
    fc.assert(
      fc.property(star, (ring) => {
        const open = openRing(ring);
        expect(openRing(closeRing(ring))).toEqual(open);
        expect(closeRing(ring).length).toBe(open.length + 2);
        expect(reverseRing(reverseRing(ring))).toEqual(ring);
        expect(signedArea(translateRing(ring, 7, -3))).toBeCloseTo(signedArea(ring), 6);
      }),
    );
    expect(openRing([1, 1, 1, 1, 2, 1, 2, 1, 2, 2, 1, 1, 1, 1])).toEqual([1, 1, 2, 1, 2, 2]);
    expect(translateRing([1, 2], 3, 4)).toEqual([4, 6]);
  });
});
