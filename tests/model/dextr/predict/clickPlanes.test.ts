import { describe, expect, it } from "vitest";
import type { Point, Prompt } from "../../../../model/dextr/base/request";
import { writeClicks } from "../../../../model/dextr/predict/clickPlanes";

const SIZE = 64;
const crop = { left: 0, top: 0, right: 64, bottom: 64 };
const sides: Point[] = [
  [32, 4],
  [4, 32],
  [32, 60],
  [60, 32],
];

function planesOf(clicks: Partial<Prompt>): { border: Float32Array; corrections: Float32Array } {
  const [border, corrections] = [new Float32Array(SIZE * SIZE).fill(7), new Float32Array(SIZE * SIZE).fill(7)];
  writeClicks({ points: sides, more: [], ...clicks }, crop, SIZE, [border, corrections]);
  return { border, corrections };
}

/** Returns the value that training computes for clicks, each with its strength (gpu/clicks.py, `heat_maps`). */
function trained(clicks: readonly (readonly [x: number, y: number, strength: number])[], [x, y]: Point): number {
  const spread = 2 * ((SIZE * 10) / 512) ** 2;
  return Math.max(0, ...clicks.map(([cx, cy, by]) => by * Math.exp(-((x - cx) ** 2 + (y - cy) ** 2) / spread)));
}

describe("writeClicks", () => {
  it("writes extreme points and border points as high as trained, and no corrections", () => {
    const { border, corrections } = planesOf({ more: [[20, 10]] });
    for (const [x, y] of [
      [32, 4],
      [33, 5],
      [20, 10],
      [22, 11],
      [50, 50],
    ] as const)
      expect(border[y * SIZE + x]).toBeCloseTo(
        trained(
          [...sides, [20, 10]].map(([cx, cy]) => [cx!, cy!, 1]),
          [x, y],
        ),
        5,
      );
    expect(corrections.every((value) => value === 0)).toBe(true);
  });

  it("writes the sides of a box at half height", () => {
    const { border } = planesOf({ isBox: true });
    expect(border[4 * SIZE + 32]).toBeCloseTo(0.5, 6);
    expect(Math.max(...border)).toBeCloseTo(0.5, 6);
  });

  it("writes corrections above and below 0, subtracted where both overlap", () => {
    const { border, corrections } = planesOf({
      added: [
        [20, 30],
        [21, 30],
      ],
      removed: [[22, 30]],
    });
    for (const [x, y] of [
      [20, 30],
      [21, 30],
      [22, 30],
      [18, 33],
      [40, 40],
    ] as const)
      expect(corrections[y * SIZE + x]).toBeCloseTo(
        trained(
          [
            [20, 30, 1],
            [21, 30, 1],
          ],
          [x, y],
        ) - trained([[22, 30, 1]], [x, y]),
        5,
      );
    expect(Math.max(...border)).toBeCloseTo(1, 6);
  });
});
