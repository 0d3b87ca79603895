import fc from "fast-check";
import { expect, it } from "vitest";
import { subtract, unite } from "../../../shared/geometry/boolean";
import { combine } from "../../../shared/geometry/combine";
import { ringsContain, translateRings } from "../../../shared/geometry/polygons";
import { nearestOnOutline } from "../../../shared/geometry/ring";
import { square, star } from "./shapes";

it("covers the same area as unite and subtract", () => {
  const shape = fc
    .array(fc.tuple(star, fc.integer({ min: 0, max: 4 })), { maxLength: 4 })
    .map((list) => list.flatMap(([ring, n]) => translateRings([[ring]], 110 * n, 0)));
  const point = fc.tuple(fc.integer({ min: -40, max: 500 }), fc.integer({ min: -40, max: 100 }));
  fc.assert(
    fc.property(shape, star, fc.array(point), (rings, ring, points) => {
      const area = [[ring]];
      const both = combine("unite", rings, area);
      const rest = combine("subtract", rings, area);
      for (const [wholeX, wholeY] of points) {
        const [x, y] = [wholeX + 0.0123, wholeY + 0.0321];
        const outlines = [...rings.flat(), ring];
        if (outlines.some((each) => nearestOnOutline(each, x, y)!.distance < 0.1)) continue;
        expect(ringsContain(both, x, y)).toBe(ringsContain(unite(rings, area), x, y));
        expect(ringsContain(rest, x, y)).toBe(ringsContain(subtract(rings, area), x, y));
      }
    }),
  );
});

it("keeps a hole that the area does not touch, and an island in it", () => {
  const shape = [[square(0, 0, 100), square(20, 20, 60)], [square(40, 40, 20)]];
  const more = combine("unite", shape, [[square(90, 90, 50)]]);
  expect(ringsContain(more, 30, 30)).toBe(false);
  expect(ringsContain(more, 50, 50)).toBe(true);
  expect(ringsContain(more, 130, 130)).toBe(true);
});

it("returns nothing if everything is removed, and the area if there was no shape", () => {
  expect(combine("subtract", [[square(10, 10, 10)]], [[square(0, 0, 100)]])).toEqual([]);
  expect(combine("unite", [], [[square(0, 0, 100)]])).toHaveLength(1);
  expect(combine("subtract", [], [[square(0, 0, 100)]])).toEqual([]);
  expect(combine("unite", [], [])).toEqual([]);
});

it("leaves overlapping polygons unchanged if the area changes nothing", () => {
  const shape = [[square(0, 0, 100)], [square(50, 50, 100)]];
  expect(combine("unite", shape, [[square(60, 60, 20)]])).toBe(shape);
  expect(combine("subtract", shape, [[square(110, 10, 20)]])).toBe(shape);
  expect(combine("subtract", shape, [[square(60, 60, 20)]])).not.toBe(shape);
  expect(combine("unite", shape, [[square(140, 140, 20)]])).not.toBe(shape);
});

it("ignores degenerate polygons", () => {
  for (const operation of ["unite", "subtract"] as const)
    expect(() => combine(operation, [[], [[]], [[5, 5]], [[5, 5, 6, 6]]], [[square(0, 0, 10)]])).not.toThrow();
});
