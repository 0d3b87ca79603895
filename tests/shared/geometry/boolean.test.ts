import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Rings } from "../../../shared/entities/shape";
import { subtract, unite } from "../../../shared/geometry/boolean";
import { extent } from "../../../shared/geometry/combine";
import { ringsContain } from "../../../shared/geometry/polygons";
import { reverseRing, signedArea } from "../../../shared/geometry/ring";
import { square, star } from "./shapes";

const areaOf = (rings: Rings) =>
  rings.reduce((sum, [outer, ...holes]) => {
    const hole = holes.reduce((total, ring) => total + Math.abs(signedArea(ring)), 0);
    return sum + Math.abs(signedArea(outer!)) - hole;
  }, 0);

describe("unite and subtract", () => {
  it("unite and subtract preserve the sum of areas", () => {
    fc.assert(
      fc.property(star, star, (a, b) => {
        const [left, right] = [[[a]], [[b]]];
        const both = areaOf(subtract(left, subtract(left, right)));
        expect(areaOf(unite(left, right)) + both).toBeCloseTo(areaOf(left) + areaOf(right), 0);
        expect(areaOf(subtract(left, right)) + both).toBeCloseTo(areaOf(left), 0);
      }),
    );
  });

  it("a union contains the points of either shape, a difference those of the first shape alone", () => {
    const shape = fc.array(star, { minLength: 1, maxLength: 3 }).map((list) => list.map((ring) => [ring]));
    const points = fc.array(fc.tuple(fc.integer({ min: -40, max: 100 }), fc.integer({ min: -40, max: 100 })));
    fc.assert(
      fc.property(shape, shape, points, (a, b, places) => {
        const united = unite(a, b);
        const rest = subtract(a, b);
        for (const [wholeX, wholeY] of places) {
          const [x, y] = [wholeX + 0.012345, wholeY + 0.054321];
          const nearOutline = [...a, ...b].some(([ring]) => {
            return [-0.02, 0.02].some(
              (d) => ringsContain([[ring!]], x + d, y + d) !== ringsContain([[ring!]], x - d, y + d),
            );
          });
          if (nearOutline) continue;
          expect(ringsContain(united, x, y)).toBe(ringsContain(a, x, y) || ringsContain(b, x, y));
          expect(ringsContain(rest, x, y)).toBe(ringsContain(a, x, y) && !ringsContain(b, x, y));
        }
      }),
    );
  });

  it("unite and subtract preserve holes in either direction", () => {
    for (const hole of [square(20, 20, 10), reverseRing(square(20, 20, 10))]) {
      const ringed = [[square(0, 0, 50), hole]];
      const united = unite(ringed, [[square(40, 40, 20)]]);
      expect(united.map((polygon) => polygon.length)).toEqual([2]);
      expect(areaOf(united)).toBe(2500 - 100 + 300);
      expect(areaOf(unite(ringed, [[square(22, 22, 4)]]))).toBe(2400 + 16);
      expect(unite(ringed, [[square(22, 22, 4)]])).toHaveLength(2);
      expect(areaOf(unite(ringed, [[square(15, 15, 20)]]))).toBe(2500);
    }
  });

  it("unite and subtract make a hole by subtraction, and two pieces by a cut through", () => {
    expect(subtract([[square(0, 0, 50)]], [[square(20, 20, 10)]]).map((polygon) => polygon.length)).toEqual([2]);
    expect(subtract([[square(0, 0, 50)]], [[[20, -5, 30, -5, 30, 60, 20, 60]]])).toHaveLength(2);
    expect(subtract([[square(0, 0, 50)]], [[square(-1, -1, 60)]])).toEqual([]);
    expect(subtract([], [[square(0, 0, 5)]])).toEqual([]);
  });

  it("unite and subtract fill both halves of a ring that crosses itself, and polygons that overlap", () => {
    const eight = [0, 0, 10, 10, 10, 0, 0, 10];
    expect(areaOf(unite([[eight]], []))).toBe(50);
    expect(areaOf(unite([[square(0, 0, 10)], [reverseRing(square(5, 0, 10))]], []))).toBe(150);
    expect(areaOf(subtract([[square(0, 0, 10)], [square(5, 0, 10)]], [[square(0, 0, 10)]]))).toBe(50);
  });

  it("unite and subtract keep points with two decimals", () => {
    expect(areaOf(unite([[square(0.25, 0.75, 10.13)]], []))).toBeCloseTo(10.13 ** 2, 6);
    expect(
      unite([[square(0.25, 0.75, 10)]], [])
        .flat(2)
        .sort(),
    ).toEqual(square(0.25, 0.75, 10).sort());
  });

  it("unite and subtract leave every unaffected point exactly where it was, however many decimals it has", () => {
    const odd = Array.from({ length: 300 }, (_, i) => {
      const angle = (2 * Math.PI * i) / 300;
      return [500 + 400 * Math.cos(angle) + Math.PI / 1e4, 500 + 400 * Math.sin(angle) + Math.E / 1e5];
    }).flat();
    const points = (rings: Rings) =>
      new Set(rings.flat().flatMap((ring) => ring.flatMap((x, i) => (i % 2 === 0 ? [`${x} ${ring[i + 1]}`] : []))));
    const before = points([[odd]]);
    for (const made of [unite([[odd]], [[square(850, 450, 100)]]), subtract([[odd]], [[square(850, 450, 100)]])]) {
      const kept = [...points(made)].filter((point) => before.has(point));
      expect(kept.length).toBeGreaterThan(280);
      expect(points(made).size - kept.length).toBeLessThanOrEqual(4);
    }
  });

  it("unite and subtract treat a hole that exceeds its polygon, or overlaps another hole, as removed area", () => {
    const reaching = [[square(0, 0, 50), square(40, 10, 20)]];
    expect(areaOf(unite(reaching, []))).toBe(2500 - 200);
    expect(areaOf(unite(reaching, [[square(55, 15, 4)]]))).toBe(2500 - 200 + 16);
    const twice = [[square(0, 0, 50), square(10, 10, 20), reverseRing(square(20, 20, 20))]];
    expect(areaOf(unite(twice, []))).toBe(2500 - 700);
  });

  it("unite and subtract cover the painted area, wherever holes lie", () => {
    const notched = [0, 0, 50, 0, 50, 10, 10, 10, 10, 40, 50, 40, 50, 50, 0, 50];
    const rings = [
      [square(0, 0, 50), square(10, 10, 20), square(20, 20, 20)],
      [square(0, 0, 50), square(10, 10, 20), square(15, 15, 5)],
      [[0, 0, 50, 0, 0, 50], square(20, 20, 15)],
      [notched, square(20, 20, 10)],
    ];
    for (const polygon of rings) {
      expect(unite([polygon], [[square(-1, -1, 60)]])).toHaveLength(1);
      expect(areaOf(unite([polygon], [[square(-1, -1, 60)]]))).toBe(3600);
    }
  });

  it("unite and subtract handle spikes, repeated points and rings that touch themselves", () => {
    expect(areaOf(unite([[[0, 0, 10, 0, 10, 0, 20, 0, 10, 0, 10, 10, 0, 10]]], []))).toBe(100);
    expect(areaOf(unite([[[0, 0, 5, 5, 10, 0, 10, 10, 5, 5, 0, 10]]], []))).toBe(50);
    expect(areaOf(unite([[[0, 0, 10, 0, 10, 10, 0, 10, 0, 0, 10, 0, 10, 10, 0, 10]]], []))).toBe(0);
  });

  it("unite and subtract handle empty and nearly empty shapes", () => {
    expect(unite([], [])).toEqual([]);
    expect(unite([[[]], []], [[[1, 1]], [[1, 1, 2, 2]], [[1, 1, 1, 1, 1, 1]], [[0, 0, 5, 5, 9, 9], []]])).toEqual([]);
  });

  it("unite and subtract lose and add nothing where edges nearly coincide", () => {
    // A triangle, and a shape with corners on its edges, rounded as the library's results are.
    const coordinate = fc.integer({ min: 0, max: 60_000 }).map((value) => value / 1000);
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const triangles = fc.array(coordinate, { minLength: 6, maxLength: 6 });
    const shapes = fc.tuple(triangles, fc.tuple(share, share, share), coordinate, coordinate);
    const known: [number[], number[]][] = [
      [
        [33.879, 41.122, 25.832, 32.858, 29, 13.6],
        [26.628, 28.019, 28.208, 18.415, 30.224, 20.506, 32.469, 33.167],
      ],
      [
        [30.952, 39.241, 25.589, 26.743, 15.032, 9.4],
        [30.899, 39.117, 27.978, 32.31, 16.896, 12.462, 13.851, 55.983],
      ],
    ];
    for (const [a, b] of known) expectWhole([[a]], [[b]]);
    fc.assert(
      fc.property(shapes, ([triangle, [s, t, u], x, y]) => {
        const on = (edge: number, at: number) =>
          [0, 1].map((i) => rounded(triangle[2 * edge + i]! * (1 - at) + triangle[(2 * edge + 2 + i) % 6]! * at));
        expectWhole([[triangle]], unite([[[...on(0, s / 2), ...on(0, (1 + t) / 2), ...on(1, u), x, y]]], []));
      }),
      { numRuns: 1000 },
    );
  });
});

const rounded = (pixels: number): number => Math.round(pixels * 1000) / 1000;

/** Expects that the union and the difference share out the areas of both shapes, but for what rounding changes. */
function expectWhole(a: Rings, b: Rings): void {
  const shared = extent(a) - extent(subtract(a, b));
  expect(shared).toBeGreaterThan(-0.5);
  expect(Math.abs(extent(a) + extent(b) - extent(unite(a, b)) - shared)).toBeLessThan(0.5);
}
