import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ring } from "../../../shared/entities/shape";
import { isSimple } from "../../../shared/geometry/isSimple";
import { nearestOnOutline, ringContains, segmentDistance } from "../../../shared/geometry/ring";
import { simplifyLine, simplifyRing, simplifyRings } from "../../../shared/geometry/simplify";
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

  it("only removes points, and keeps the order and place of the others", () => {
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

  it("removes points on straight lines and keeps corners", () => {
    expect(simplifyRing([0, 0, 5, 0, 10, 0, 10, 10, 5, 10, 0, 10, 0, 5], 0.1)).toEqual(square(0, 0, 10));
  });

  it("leaves small and degenerate rings unchanged", () => {
    for (const ring of [[], [1, 1], [1, 1, 2, 2], [1, 1, 2, 2, 3, 1]]) expect(simplifyRing(ring, 100)).toEqual(ring);
    expect(simplifyRing([1, 1, 1, 1, 1, 1, 1, 1], 1)).toHaveLength(6);
    expect(simplifyRing([0, 0, 1, 0, 2, 0, 3, 0], 1)).toHaveLength(6);
  });

  it("handles a hundred thousand points", () => {
    const ring = Array.from({ length: 100_000 }, (_, i) => {
      const angle = (2 * Math.PI * i) / 100_000;
      return [1000 + 900 * Math.cos(angle), 1000 + 900 * Math.sin(angle)];
    }).flat();
    const simple = simplifyRings([[ring]], 0.5)[0]![0]!;
    expect(simple.length).toBeLessThan(400);
    expect(simple.length).toBeGreaterThan(100);
  });

  it("makes no simple outline cross itself", () => {
    const count = fc.integer({ min: 20, max: 120 });
    const wild = fc.tuple(count, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })).map(([n, a, b]) =>
      Array.from({ length: n }, (_, i) => {
        const angle = (2 * Math.PI * i) / n;
        const radius = 100 + 60 * Math.sin(a * angle) + 35 * Math.sin(b * b * angle);
        return [200 + radius * Math.cos(angle + radius / 40), 200 + radius * Math.sin(angle + radius / 40)];
      })
        .flat()
        .map(Math.round),
    );
    let crossed = 0;
    fc.assert(
      fc.property(wild, fc.constantFrom(2, 5, 10, 20), (ring, limit) => {
        if (!isSimple(ring)) return;
        crossed++;
        const simple = simplifyRing(ring, limit);
        expect(crossings(simple)).toBe(0);
      }),
      { numRuns: 400 },
    );
    expect(crossed).toBeGreaterThan(50);
  });

  it("lets no hole cross the outline around it", () => {
    const arc = (radius: number) =>
      Array.from({ length: 200 }, (_, i) => {
        const angle = (2 * Math.PI * i) / 200;
        return [100 + radius * Math.cos(angle), 100 + radius * Math.sin(angle)];
      }).flat();
    const [polygon] = simplifyRings([[arc(90), arc(89)]], 8);
    for (let i = 0; i < polygon![1]!.length; i += 2) {
      expect(ringContains(polygon![0]!, polygon![1]![i]!, polygon![1]![i + 1]!)).toBe(true);
    }
    const [outer, inner] = polygon!;
    expect(crossings(outer!, inner!)).toBe(0);
  });

  it("leaves everything unchanged for a tolerance that is not a number", () => {
    expect(simplifyRing([0, 0, 5, 0, 10, 0, 10, 10], Number.NaN)).toEqual([0, 0, 5, 0, 10, 0, 10, 10]);
    expect(simplifyRings([], 1)).toEqual([]);
  });
});

describe("simplifyLine", () => {
  it("keeps both ends and every point within the tolerance", () => {
    fc.assert(
      fc.property(star, tolerance, (line, limit) => {
        const simple = simplifyLine(line, limit);
        expect([...simple.slice(0, 2), ...simple.slice(-2)]).toEqual([...line.slice(0, 2), ...line.slice(-2)]);
        for (let i = 0; i < line.length; i += 2) {
          const places = Array.from({ length: simple.length / 2 - 1 }, (_, k) => simple.slice(2 * k, 2 * k + 4));
          const distances = places.map(([a, b, c, d]) => segmentDistance(a!, b!, c!, d!, line[i]!, line[i + 1]!));
          expect(Math.min(...distances)).toBeLessThanOrEqual(limit + 1e-9);
        }
      }),
    );
    for (const line of [[], [1, 1], [1, 1, 2, 2]]) expect(simplifyLine(line, 5)).toEqual(line);
  });
});

/** Counts the edges of a ring that cross other edges of it, or of a second ring, between their ends. */
function crossings(a: Ring, b: Ring = a): number {
  const side = (p: number[], q: number[], r: number[]) =>
    Math.sign((q[0]! - p[0]!) * (r[1]! - p[1]!) - (q[1]! - p[1]!) * (r[0]! - p[0]!));
  const edges = (ring: Ring) =>
    Array.from({ length: ring.length / 2 }, (_, i) => {
      const k = (2 * i + 2) % ring.length;
      return [ring.slice(2 * i, 2 * i + 2), ring.slice(k, k + 2)] as const;
    });
  return edges(a).flatMap(([p, q]) =>
    edges(b).filter(([r, s]) => side(p, q, r) * side(p, q, s) < 0 && side(r, s, p) * side(r, s, q) < 0),
  ).length;
}
