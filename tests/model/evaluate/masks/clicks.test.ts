import { describe, expect, it } from "vitest";
import type { Point } from "../../../../model/dextr/base/request";
import { addNoise, extremePoints } from "../../../../model/evaluate/masks/clicks";

function bitmapOf(...rows: string[]) {
  const data = Uint8Array.from(rows.join(""), (letter) => (letter === "#" ? 1 : 0));
  return { width: rows[0]!.length, height: rows.length, data };
}

describe("the protocol's clicks", () => {
  it("clicks are the middle pixels of the outermost rows and columns: top, right, bottom, left", () => {
    const mask = bitmapOf(
      "........", //
      ".##.##..",
      ".######.",
      "#######.",
      "#####...",
      ".#..#...",
    );
    expect(extremePoints(mask)).toEqual([
      [4, 1],
      [6, 3],
      [4, 5],
      [0, 4],
    ]);
  });

  it("clicks on one pixel are all that pixel", () => {
    expect(extremePoints(bitmapOf("...", "..#"))).toEqual(Array(4).fill([2, 1]));
  });

  it("an empty mask throws", () => {
    expect(() => extremePoints(bitmapOf("..", ".."))).toThrow("empty");
  });
});

describe("jittered clicks", () => {
  const clicks: Point[] = [
    [50, 0],
    [100, 100],
    [50, 200],
    [0, 100],
  ];

  it("clicks are equal for equal seeds", () => {
    expect(addNoise(clicks, 0.02, 4)).toEqual(addNoise(clicks, 0.02, 4));
    expect(addNoise(clicks, 0.02, 4)).not.toEqual(addNoise(clicks, 0.02, 5));
    expect(addNoise(clicks, 0, 4)).toEqual(clicks);
  });

  it("clicks move by a Gaussian with that share of the box, on each axis", () => {
    const moves = Array.from({ length: 3000 }, (_, seed) => addNoise(clicks, 0.02, seed)).flatMap((moved) =>
      moved.map(([x, y], n) => [(x - clicks[n]![0]) / 100, (y - clicks[n]![1]) / 200]),
    );
    for (const axis of [0, 1]) {
      const values = moves.map((move) => move[axis]!);
      const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
      const spread = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length);
      expect(Math.abs(mean)).toBeLessThan(0.001);
      expect(spread).toBeCloseTo(0.02, 3);
      expect(values.filter((v) => Math.abs(v) < 0.02).length / values.length).toBeCloseTo(0.683, 1.5);
    }
  });
});
