import { describe, expect, it } from "vitest";
import { CONTEXT, CONTEXT_MIN } from "../../../../model/dextr/base/recipe";
import type { Point } from "../../../../model/dextr/base/request";
import { cropAround, isEmpty, reachAround } from "../../../../model/dextr/predict/crop";

const points: Point[] = [
  [100, 50],
  [199, 80],
  [120, 109],
  [100, 90],
];
const box = { left: 100, top: 50, right: 200, bottom: 110 };

function by(amount: number) {
  return {
    left: expect.closeTo(box.left - amount, 9),
    top: expect.closeTo(box.top - amount, 9),
    right: expect.closeTo(box.right + amount, 9),
    bottom: expect.closeTo(box.bottom + amount, 9),
  };
}

describe("cropAround", () => {
  it("adds a share of the long side around the box of the points' pixels", () => {
    expect(cropAround(points)).toEqual(by(CONTEXT * 100));
  });

  it("includes some pixels around a single point", () => {
    const at = CONTEXT_MIN;
    expect(cropAround([[7, 9]])).toEqual({ left: 7 - at, top: 9 - at, right: 8 + at, bottom: 10 + at });
  });

  it("shows objects of 20 and of 3,000 pixels at the same share of the crop", () => {
    const shareAt = (side: number) => {
      const crop = cropAround([
        [0, 0],
        [side - 1, side - 1],
      ]);
      return side / (crop.right - crop.left);
    };
    for (const side of [20, 100, 1000, 3000]) {
      expect(shareAt(side)).toBeGreaterThan(1 / (1 + 2 * Math.max(CONTEXT, CONTEXT_MIN / side)) - 1e-9);
      expect(shareAt(side)).toBeLessThan(1 / (1 + 2 * CONTEXT) + 1e-9);
    }
  });
});

describe("the reach", () => {
  const image = { width: 205, height: 500 };

  it("equals the padding, inside the image and the crop", () => {
    expect(reachAround(points, 0, cropAround(points), image)).toEqual(box);
    const reach = reachAround(points, 3, cropAround(points), image);
    expect(reach).toEqual({ left: 97, top: 47, right: 203, bottom: 113 });
    const wide = reachAround(points, 1000, cropAround(points), image);
    expect(wide).toEqual({ ...cropAround(points), right: 205 });
  });

  it("is empty outside the image", () => {
    expect(isEmpty(reachAround([[300, 10]], 5, cropAround([[300, 10]]), image))).toBe(true);
    expect(isEmpty(reachAround(points, 0, cropAround(points), image))).toBe(false);
  });
});
