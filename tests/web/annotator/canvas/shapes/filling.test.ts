import { expect, test } from "vitest";
import type { Rings } from "../../../../../shared/entities/shape";
import { ringsContain } from "../../../../../shared/geometry/polygons";
import { fillingOf } from "../../../../../web/annotator/canvas/shapes/filling";

const square = (x: number, y: number, side: number) => [x, y, x + side, y, x + side, y + side, x, y + side];
const backwards = (ring: number[]) => ring.flatMap((_, i) => (i % 2 === 0 ? ring.slice(-2 - i, ring.length - i) : []));

const cases: [string, Rings][] = [
  ["two overlapping polygons", [[square(0, 0, 10)], [square(5, 5, 10)]]],
  ["two overlapping polygons of opposite direction", [[square(0, 0, 10)], [backwards(square(5, 5, 10))]]],
  ["a polygon over another's hole", [[square(0, 0, 20), square(4, 4, 12)], [square(2, 2, 8)]]],
  ["an island and its hole of equal direction", [[square(0, 0, 20), square(4, 4, 12)], [square(8, 8, 4)]]],
  ["the same polygon twice", [[square(0, 0, 10)], [square(0, 0, 10)]]],
  ["one polygon with a hole", [[square(0, 0, 20), square(4, 4, 12)]]],
  ["a polygon that crosses itself", [[[0, 0, 10, 10, 10, 0, 0, 10]]]],
];

test.each(cases)("%s: exactly the pixels inside are filled", (_, rings) => {
  for (let y = -0.5; y < 22; y++)
    for (let x = -0.25; x < 22; x++) expect([x, y, isFilled(rings, x, y)]).toEqual([x, y, ringsContain(rings, x, y)]);
});

test("the filling is computed once for each shape, even for typed arrays", () => {
  const rings = [[Float32Array.from(square(0, 0, 10))], [Float32Array.from(backwards(square(5, 5, 10)))]];
  const filling = fillingOf(rings);
  expect(filling.rings.map((ring) => Array.from(ring))).toEqual([square(0, 0, 10), [5, 15, 5, 5, 15, 5, 15, 15]]);
  expect(fillingOf(rings)).toBe(filling);
});

/** Fills like a canvas fills the path: counts the crossings of a ray to the right in each direction. */
function isFilled(polygons: Rings, x: number, y: number): boolean {
  const { rings, rule } = fillingOf(polygons);
  let crossings = 0;
  let winding = 0;
  for (const ring of rings)
    for (let i = 0; i < ring.length; i += 2) {
      const [x0, y0] = [ring[i]!, ring[i + 1]!];
      const [x1, y1] = [ring[(i + 2) % ring.length]!, ring[(i + 3) % ring.length]!];
      if (y0 > y === y1 > y || x >= x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) continue;
      crossings++;
      winding += y1 > y0 ? 1 : -1;
    }
  return rule === "evenodd" ? crossings % 2 === 1 : winding !== 0;
}
