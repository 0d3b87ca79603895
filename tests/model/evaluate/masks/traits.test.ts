import { describe, expect, it } from "vitest";
import type { Bitmap } from "../../../../model/evaluate/masks/bitmap";
import { borderError, countParts, thickness } from "../../../../model/evaluate/masks/traits";
import { bitmapOfRows } from "../../../support/bitmaps";

/** A rectangle on an empty bitmap of 20 × 20. */
function rectangle(left: number, top: number, right: number, bottom: number): Bitmap {
  const data = Uint8Array.from({ length: 400 }, (_, i) => {
    const [x, y] = [i % 20, Math.floor(i / 20)];
    return x >= left && x < right && y >= top && y < bottom ? 1 : 0;
  });
  return { width: 20, height: 20, data };
}

describe("the error near the border", () => {
  const mask = rectangle(5, 5, 15, 15);

  it("is 0 for the mask itself, and the share of wrong pixels within 2 pixels for others", () => {
    expect(borderError(mask, mask, null)).toBe(0);
    // 14 × 14 pixels around, less 6 × 6 inside. One pixel too wide on the right: 10 wrong ones.
    expect(borderError(rectangle(5, 5, 16, 15), mask, null)).toBeCloseTo(10 / (14 * 14 - 6 * 6));
  });

  it("leaves out what is far from the border, and what is ignored", () => {
    expect(borderError(rectangle(5, 5, 20, 15), mask, null)).toBeCloseTo(20 / 160);
    expect(borderError(rectangle(5, 5, 16, 15), mask, rectangle(15, 0, 20, 20))).toBe(0);
  });
});

describe("the thickness", () => {
  it("is twice the area over the border's length and the long side", () => {
    expect(thickness(rectangle(0, 0, 10, 10))).toBeCloseTo(200 / 40 / 10);
    expect(thickness(rectangle(3, 3, 5, 19))).toBeCloseTo(64 / 36 / 16);
  });
});

describe("the numbers of pieces and holes", () => {
  it("are counted, pieces across corners and holes only across sides", () => {
    expect(countParts(bitmapOfRows("11000", "11000", "00111", "00101", "00111"))).toEqual({ pieces: 1, holes: 1 });
    expect(countParts(bitmapOfRows("11100", "10100", "11000", "00011"))).toEqual({ pieces: 2, holes: 1 });
  });

  it("leave out gaps that reach the edge of the image, and parts below 1 % of the object", () => {
    expect(countParts(bitmapOfRows("111", "101", "101"))).toEqual({ pieces: 1, holes: 0 });
    const large = rectangle(0, 0, 19, 19);
    large.data[5 * 20 + 5] = 0;
    expect(countParts(large)).toEqual({ pieces: 1, holes: 0 });
  });
});
