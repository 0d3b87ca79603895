import { Clipper, FillRule, type Path64 } from "clipper2-ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sharedArea } from "../../../../shared/geometry/checks/sharedArea";

/** Returns a star-shaped path around a point, with whole numbers. */
const blob = (x: number, y: number, radii: readonly number[]): Path64 =>
  radii.map((radius, i) => {
    const angle = (2 * Math.PI * i) / radii.length;
    return { x: Math.round(x + radius * Math.cos(angle)), y: Math.round(y + radius * Math.sin(angle)) };
  });

const radii = fc.array(fc.integer({ min: 10_000, max: 19_000 }), { minLength: 3, maxLength: 40 });
const place = fc.integer({ min: 0, max: 40_000 });

it("returns the area that two shapes share, as their intersection has it", () => {
  fc.assert(
    fc.property(radii, radii, place, place, (ours, theirs, x, y) => {
      const hole = [...blob(0, 0, [2000, 3000, 4000])].reverse();
      const [a, b] = [[blob(0, 0, ours), hole], [blob(x, y, theirs)]];
      const found = sharedArea(a, b);
      const wanted = Clipper.intersect(a, b, FillRule.Positive).reduce((sum, path) => sum + Clipper.area(path), 0);
      // Crossings of the intersection are rounded to whole numbers.
      if (found !== undefined) expect(Math.abs(found - wanted)).toBeLessThan(200_000);
    }),
    { numRuns: 500 },
  );
});

it("returns nothing where a point of one shape lies on an edge of the other", () => {
  const square = (x: number): Path64 => [
    { x, y: 0 },
    { x: x + 10, y: 0 },
    { x: x + 10, y: 10 },
    { x, y: 10 },
  ];
  expect(sharedArea([square(0)], [square(5)])).toBeUndefined();
  expect(sharedArea([square(0)], [square(20)])).toBe(0);
});
