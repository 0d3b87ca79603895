import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unite } from "../../../../shared/geometry/boolean";
import { extent } from "../../../../shared/geometry/combine";
import { mergeShapes } from "../../../../shared/geometry/operations/merge";
import { translateRings } from "../../../../shared/geometry/polygons";
import { square, star } from "../shapes";

describe("mergeShapes", () => {
  it("joins shapes that touch and leaves others exactly as they are", () => {
    const far = [[[300.12345, 0, 310, 0.5, 300, 10]]];
    const merged = mergeShapes([[[square(0, 0, 10)]], far, [[square(10, 0, 10)]]]);
    expect(merged).toHaveLength(2);
    expect(merged[1]).toBe(far[0]);
    expect(extent(merged)).toBeCloseTo(200 + extent(far), 6);
  });

  it("keeps holes, and fills one that another shape covers", () => {
    const ringed = [[square(0, 0, 50), square(10, 10, 10)]];
    expect(extent(mergeShapes([ringed, [[square(40, 40, 20)]]]))).toBe(2400 + 300);
    expect(extent(mergeShapes([ringed, [[square(5, 5, 20)]]]))).toBe(2500);
  });

  it("covers the same area as uniting one after another", () => {
    const shapes = fc
      .array(fc.tuple(star, fc.integer({ min: 0, max: 3 })), { minLength: 1, maxLength: 6 })
      .map((list) => list.map(([ring, n]) => translateRings([[ring]], 70 * n, 0)));
    fc.assert(
      fc.property(shapes, (list) => {
        const one = list.reduce((all, shape) => unite(all, shape), []);
        expect(extent(mergeShapes(list))).toBeCloseTo(extent(one), 0);
      }),
    );
  });

  it("ignores empty and degenerate polygons", () => {
    expect(mergeShapes([])).toEqual([]);
    expect(mergeShapes([[], [[]], [[[]]], [[[1, 1, 2, 2]]], [[square(0, 0, 5)]]])).toEqual([[square(0, 0, 5)]]);
  });
});
