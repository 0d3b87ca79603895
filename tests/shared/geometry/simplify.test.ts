import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestOnOutline } from "../../../shared/geometry/ring";
import { simplifyRing, simplifyRings } from "../../../shared/geometry/simplify";
import { square, star } from "./shapes";

const tolerance = fc.double({ min: 0, max: 50, noNaN: true });

describe("simplifyRing", () => {
  it("keeps every point within the tolerance of the new outline, and at least three points", () => {
    fc.assert(
      fc.property(star, tolerance, (ring, limit) => {
        const simple = simplifyRing(ring, limit);
        expect(simple.length).toBeGreaterThanOrEqual(6);
        for (let i = 0; i < ring.length; i += 2)
          expect(nearestOnOutline(simple, ring[i]!, ring[i + 1]!)!.distance).toBeLessThanOrEqual(limit + 1e-9);
      }),
    );
  });

  it("only leaves points out: the rest stay in order and place", () => {
    fc.assert(
      fc.property(star, tolerance, (ring, limit) => {
        const points = (flat: number[]) =>
          Array.from({ length: flat.length / 2 }, (_, i) => `${flat[2 * i]},${flat[2 * i + 1]}`);
        const before = points(ring);
        let at = 0;
        for (const point of points(simplifyRing(ring, limit))) {
          at = before.indexOf(point, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
      }),
    );
  });

  it("takes out points on straight lines and keeps corners", () => {
    expect(simplifyRing([0, 0, 5, 0, 10, 0, 10, 10, 5, 10, 0, 10, 0, 5], 0.1)).toEqual(square(0, 0, 10));
  });

  it("leaves small and degenerate rings as they are", () => {
    for (const ring of [[], [1, 1], [1, 1, 2, 2], [1, 1, 2, 2, 3, 1]]) expect(simplifyRing(ring, 100)).toEqual(ring);
    expect(simplifyRing([1, 1, 1, 1, 1, 1, 1, 1], 1)).toHaveLength(6);
    expect(simplifyRing([0, 0, 1, 0, 2, 0, 3, 0], 1)).toHaveLength(6);
  });

  it("bears a hundred thousand points", () => {
    const ring = Array.from({ length: 100_000 }, (_, i) => {
      const angle = (2 * Math.PI * i) / 100_000;
      return [1000 + 900 * Math.cos(angle), 1000 + 900 * Math.sin(angle)];
    }).flat();
    const simple = simplifyRings([[ring]], 0.5)[0]![0]!;
    expect(simple.length).toBeLessThan(400);
    expect(simple.length).toBeGreaterThan(100);
  });
});
