import { describe, expect, it } from "vitest";
import type { Point } from "../../../../model/dextr/base/request";
import { arcs } from "../../../../model/dextr/outline/arcs";
import { extent } from "../../../../shared/geometry/combine";
import { ringsBounds } from "../../../../shared/geometry/polygons";
import { signedArea } from "../../../../shared/geometry/ring";

const disc: Point[] = [
  [50, 0],
  [100, 50],
  [50, 100],
  [0, 50],
];

describe("arcs through the extreme points", () => {
  it("arcs form a circle through the extreme points of a circle, touching their pixels' box", () => {
    const rings = arcs(disc);
    expect(ringsBounds(rings)).toEqual([0, 0, 101, 101]);
    expect(extent(rings)).toBeCloseTo(Math.PI * 50.5 ** 2, -2);
    expect(signedArea(rings[0]![0]!)).toBeGreaterThan(0);
  });

  it("arcs ignore the order of the points, repeated points, and points inside", () => {
    const rings = arcs(disc);
    expect(arcs([disc[2]!, disc[0]!, disc[3]!, disc[1]!])).toEqual(rings);
    expect(arcs([...disc, disc[0]!, [40, 40]])).toEqual(rings);
  });

  it("arcs are tangent to the box when the points are off its middle", () => {
    const ring = arcs([
      [10, 0],
      [99, 80],
      [90, 99],
      [0, 20],
    ])[0]![0]!;
    for (const [x, y] of [
      [10.5, 0],
      [100, 80.5],
      [90.5, 100],
      [0, 20.5],
    ]) {
      const at = ring.findIndex((_, i) => i % 2 === 0 && Math.hypot(ring[i]! - x!, ring[i + 1]! - y!) < 1e-9);
      expect(at).toBeGreaterThanOrEqual(0);
    }
  });

  it("arcs cover one pixel for a single point", () => {
    expect(ringsBounds(arcs([[3, 4]]))).toEqual([3, 4, 1, 1]);
  });

  it("invalid points throw", () => {
    expect(() => arcs([])).toThrow("needs points");
    expect(() => arcs([[Number.NaN, 1]])).toThrow("finite");
  });
});
