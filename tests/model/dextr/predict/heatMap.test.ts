import { describe, expect, it } from "vitest";
import type { Point } from "../../../../model/dextr/base/request";
import { heatMap } from "../../../../model/dextr/predict/heatMap";

const SIZE = 64;
const crop = { left: 10, top: 20, right: 138, bottom: 84 };

function mapOf(points: readonly Point[]): Float32Array {
  const plane = new Float32Array(SIZE * SIZE).fill(7);
  heatMap(points, crop, SIZE, plane);
  return plane;
}

describe("heatMap", () => {
  it("is a Gaussian of 10/512 of the side around the pixel's centre", () => {
    // Pixel (40, 51) has its centre at (40.5, 51.5): a fraction of 30.5 / 128 across and 31.5 / 64 down.
    const plane = mapOf([[40, 51]]);
    const [x, y, sigma] = [(30.5 / 128) * SIZE, (31.5 / 64) * SIZE, (SIZE * 10) / 512];
    for (const [column, row] of [
      [15, 31],
      [14, 30],
      [18, 33],
      [40, 2],
    ] as const) {
      const square = (column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2;
      expect(plane[row * SIZE + column]).toBeCloseTo(Math.exp(-square / 2 / sigma ** 2), 5);
    }
  });

  it("takes the maximum of several points, in any order, and counts a repeated point once", () => {
    const [a, b]: Point[] = [
      [40, 51],
      [44, 52],
    ];
    const both = mapOf([a!, b!]);
    expect(mapOf([b!, a!, a!])).toEqual(both);
    const [one, other] = [mapOf([a!]), mapOf([b!])];
    expect(both).toEqual(one.map((v, i) => Math.max(v, other[i]!)));
  });

  it("is empty far from all points", () => {
    expect(Math.max(...mapOf([[-5000, 40]]))).toBe(0);
  });
});
