import { describe, expect, it } from "vitest";
import { contour } from "../../../../model/dextr/outline/contour";
import { isSimple } from "../../../../shared/geometry/isSimple";
import { ringContains, signedArea } from "../../../../shared/geometry/ring";
import { seededRandom } from "../../../support/seededRandom";

/** Returns a field surrounded by zeros, with nodes at whole numbers. */
function fieldOf(rows: number[][]) {
  const width = rows[0]!.length + 2;
  const empty = Array<number>(width).fill(0);
  return {
    xs: Float64Array.from({ length: width }, (_, i) => i),
    ys: Float64Array.from({ length: rows.length + 2 }, (_, i) => i),
    values: Float32Array.from([empty, ...rows.map((row) => [0, ...row, 0]), empty].flat()),
  };
}

describe("contours", () => {
  it("contours cross the sides where the level is reached between the nodes, clockwise around the inside", () => {
    const [ring, ...others] = contour(fieldOf([[1]]), 0.25);
    expect(others).toEqual([]);
    expect(ring).toEqual([1.75, 1, 1, 1.75, 0.25, 1, 1, 0.25]);
    expect(signedArea(ring!)).toBeCloseTo(2 * 0.75 ** 2);
  });

  it("contours run the other way around a hole", () => {
    const rings = contour(
      fieldOf([
        [1, 1, 1],
        [1, 0, 1],
        [1, 1, 1],
      ]),
      0.5,
    );
    expect(rings.map((ring) => Math.sign(signedArea(ring))).sort()).toEqual([-1, 1]);
  });

  it("contours join opposite corners if the mean is inside, and separate them if it is not", () => {
    const saddle = (v: number) => [
      [1, v],
      [v, 1],
    ];
    expect(contour(fieldOf(saddle(0.2)), 0.5)).toHaveLength(1);
    expect(contour(fieldOf(saddle(0)), 0.51)).toHaveLength(2);
    const turned = (v: number) => saddle(v).map((row) => row.toReversed());
    expect(contour(fieldOf(turned(0.2)), 0.5)).toHaveLength(1);
    expect(contour(fieldOf(turned(0)), 0.51)).toHaveLength(2);
  });

  it("contours are empty if no value reaches the level", () => {
    expect(contour(fieldOf([[0.2, 0.3]]), 0.4)).toEqual([]);
  });

  it("contours separate inside from outside in simple rings, on any field", () => {
    const random = seededRandom(3);
    for (let n = 0; n < 60; n++) {
      const [width, height] = [1 + Math.floor(random() * 9), 1 + Math.floor(random() * 9)];
      // Few different values, so that many nodes lie exactly at the level.
      const rows = Array.from({ length: height }, () =>
        Array.from({ length: width }, () => Math.floor(random() * 5) / 4),
      );
      const field = fieldOf(rows);
      const rings = contour(field, 0.5);
      expect(rings.every(isSimple)).toBe(true);
      rows.forEach((row, y) => {
        row.forEach((value, x) => {
          const around = rings.filter((ring) => ringContains(ring, x + 1, y + 1)).length;
          expect(around % 2).toBe(value >= 0.5 ? 1 : 0);
        });
      });
    }
  });

  it("level lines that coincide are followed exactly by the outline", () => {
    const field = {
      xs: Float64Array.from([5, 5, 6, 8, 8]),
      ys: Float64Array.from([2, 2, 3, 3]),
      values: Float32Array.from(
        [
          [0, 0, 0, 0, 0],
          [0, 1, 0.9, 0.8, 0],
          [0, 1, 0.7, 0.9, 0],
          [0, 0, 0, 0, 0],
        ].flat(),
      ),
    };
    const [ring] = contour(field, 0.5);
    expect(signedArea(ring!)).toBe(3);
  });
});
