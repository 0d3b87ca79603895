import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ring } from "../../../shared/entities/shape";
import { isSimple } from "../../../shared/geometry/isSimple";
import { reverseRing } from "../../../shared/geometry/ring";
import { square, star } from "./shapes";

/**
 * Implements the definition: two edges share no point, except that neighbours share their corner. Exact integer
 * arithmetic.
 */
function isSimpleByDefinition(ring: Ring): boolean {
  const count = ring.length / 2;
  const at = (i: number) => [BigInt(ring[2 * (i % count)]!), BigInt(ring[2 * (i % count) + 1]!)] as const;
  const turn = (a: number, b: number, c: number) => {
    const [[ax, ay], [bx, by], [cx, cy]] = [at(a), at(b), at(c)];
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    return area > 0n ? 1 : area < 0n ? -1 : 0;
  };
  const between = (a: number, b: number, c: number) => {
    const [[ax, ay], [bx, by], [cx, cy]] = [at(a), at(b), at(c)];
    const inside = (p: bigint, q: bigint, r: bigint) => (p < q ? p <= r && r <= q : q <= r && r <= p);
    return turn(a, b, c) === 0 && inside(ax, bx, cx) && inside(ay, by, cy);
  };
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++) {
      const [a, b, c, d] = [i, i + 1, j, j + 1];
      if (j === i + 1 || (i === 0 && j === count - 1)) {
        const [first, corner, last] = j === i + 1 ? [a, b, d] : [c, a, b];
        if (between(first, corner, last) || between(corner, last, first)) return false;
      } else if (
        (turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0) ||
        between(a, b, c) ||
        between(a, b, d) ||
        between(c, d, a) ||
        between(c, d, b)
      )
        return false;
    }
  return true;
}

describe("isSimple", () => {
  it("agrees with the definition, for rings on few positions, which often touch themselves", () => {
    const place = fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 7 }));
    const places = fc.uniqueArray(place, { minLength: 3, maxLength: 9, selector: ([x, y]) => 8 * x + y });
    fc.assert(
      fc.property(places, (list) => {
        const ring = list.flat();
        expect(isSimple(ring)).toBe(isSimpleByDefinition(ring));
      }),
      { numRuns: 2000 },
    );
  });

  it("is true for stars and squares, in either direction", () => {
    fc.assert(
      fc.property(star, (ring) => {
        const units = ring.map((value) => Math.round(value * 1000));
        expect(isSimple(units)).toBe(true);
        expect(isSimple(reverseRing(units))).toBe(true);
      }),
    );
    expect(isSimple(square(0, 0, 5))).toBe(true);
  });

  it("is false for a figure eight, even one crossing at a vertex, and for an invalid ring", () => {
    expect(isSimple([0, 0, 10, 10, 10, 0, 0, 10])).toBe(false);
    expect(isSimple([0, 0, 5, 5, 10, 10, 10, 0, 5, 5, 0, 10])).toBe(false);
    for (const ring of [[], [1, 1], [1, 1, 2, 2], [0, 0, 5, 0, 9, 0]]) expect(isSimple(ring)).toBe(false);
  });

  it("gives up on a highly tangled ring instead of taking minutes", () => {
    const comb = Array.from({ length: 20_000 }, (_, i) => [i % 2 === 0 ? 0 : 1e6, 50 * i]).flat();
    expect(isSimple(comb)).toBe(false);
  });
});
