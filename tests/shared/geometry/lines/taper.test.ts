import { expect, test } from "vitest";
import { type Disc, simplifyDiscs, taperedRing } from "../../../../shared/geometry/lines/taper";
import { ringsContain } from "../../../../shared/geometry/polygons";
import { ringContains, signedArea } from "../../../../shared/geometry/ring";
import { strokeRings } from "../../../../shared/geometry/stroke";
import { seededRandom } from "../../../support/seededRandom";

/** Returns the distance of a point from the area that two discs and the way between them cover; negative inside. */
function distance(x: number, y: number, a: Disc, b: Disc): number {
  let least = Number.POSITIVE_INFINITY;
  for (let share = 0; share <= 1; share += 1 / 2048) {
    const at = (from: number, to: number) => from + share * (to - from);
    least = Math.min(least, Math.hypot(x - at(a.x, b.x), y - at(a.y, b.y)) - at(a.radius, b.radius));
  }
  return least;
}

test("the outline around two discs deviates no more than allowed, whatever their sizes and places", () => {
  const random = seededRandom(3);
  const disc = (): Disc => ({ x: 100 * random(), y: 100 * random(), radius: 1 + 40 * random() });
  for (let i = 0; i < 60; i++) {
    const [a, b] = [disc(), disc()];
    const ring = taperedRing(a, b, 0.1);
    for (let k = 0; k + 1 < ring.length; k += 2)
      expect(Math.abs(distance(ring[k]!, ring[k + 1]!, a, b))).toBeLessThan(0.02);
    for (let k = 0; k < 20; k++) {
      const [x, y] = [200 * random() - 50, 200 * random() - 50];
      const away = distance(x, y, a, b);
      if (Math.abs(away) > 0.15) expect(ringContains(ring, x, y)).toBe(away < 0);
    }
    expect(signedArea(ring) > 0).toBe(signedArea(taperedRing(b, a, 0.1)) > 0);
  }
});

test("a stroke with radii covers what its discs cover, without gaps, and is clipped to the image", () => {
  const radii = [2, 8, 20, 20, 5];
  const path = [10, 50, 40, 50, 80, 50, 120, 50, 160, 50];
  const rings = strokeRings({ path, radius: 20, radii }, 1, { width: 150, height: 100 });
  expect(rings).toHaveLength(1);
  const covers = (x: number, y: number) => ringsContain(rings, x, y);
  expect([covers(80, 69), covers(80, 31), covers(80, 71), covers(25, 54.5), covers(25, 56)]).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  for (let x = 9; x < 150; x += 1) expect(covers(x, 50)).toBe(true);
  expect(Math.max(...rings.flat(2).filter((_, i) => i % 2 === 0))).toBe(150);
});

test("a stroke without a usable disc covers nothing", () => {
  expect(strokeRings({ path: [], radius: 5, radii: [] }, 1)).toEqual([]);
  expect(strokeRings({ path: [Number.NaN, 1], radius: 5, radii: [3] }, 1)).toEqual([]);
  expect(strokeRings({ path: [4, 4], radius: 5, radii: [0] }, 1)).toEqual([]);
});

test("discs on the way between others are left out, discs where the radius starts to grow or shrink are kept", () => {
  const disc = (x: number, radius: number): Disc => ({ x, y: 0, radius });
  const discs = [disc(0, 1), disc(5, 3.5), disc(10, 6), disc(15, 3.5), disc(20, 1)];
  expect(simplifyDiscs(discs, 0.1)).toEqual([disc(0, 1), disc(10, 6), disc(20, 1)]);
});
