import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ring } from "../../../shared/entities/shape";
import { pointInside } from "../../../shared/geometry/pointInside";
import { nest, normaliseRings, ringsBounds, ringsContain, translateRings } from "../../../shared/geometry/polygons";
import { reverseRing, ringContains, signedArea } from "../../../shared/geometry/ring";
import { square, star } from "./shapes";

const onion = [square(0, 0, 100), square(10, 10, 80), square(20, 20, 60), square(30, 30, 40)];

describe("nest", () => {
  it("makes outer rings of even depths and holes of odd ones, in any order and direction", () => {
    const shuffled = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
    fc.assert(
      fc.property(shuffled, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (order, turns) => {
        const rings = onion.map((ring, i) => (turns[i] ? reverseRing(ring) : ring));
        const polygons = nest(order.map((i) => rings[i]!));
        expect(polygons).toHaveLength(2);
        expect(polygons).toContainEqual([rings[0], rings[1]]);
        expect(polygons).toContainEqual([rings[2], rings[3]]);
      }),
    );
  });

  it("assigns a hole to the smallest ring around it", () => {
    const left = square(0, 0, 20);
    const right = square(30, 0, 20);
    const holes = [square(35, 5, 3), square(5, 5, 3), square(12, 5, 3)] as const;
    expect(nest([...holes, left, right])).toEqual([
      [left, holes[1], holes[2]],
      [right, holes[0]],
    ]);
  });

  it("handles holes that touch the outline", () => {
    const outer = square(0, 0, 20);
    const touching = [0, 10, 5, 5, 5, 15];
    const sharing = [5, 0, 15, 0, 15, 3, 5, 3];
    expect(nest([touching, sharing, outer])).toEqual([[outer, touching, sharing]]);
  });

  it("keeps crossing, equal and degenerate rings as outer rings", () => {
    const rings: Ring[] = [square(0, 0, 10), square(8, 8, 10), square(0, 0, 10), [1, 1], [2, 2, 3, 3], []];
    expect(nest(rings)).toEqual(rings.map((ring) => [ring]));
  });

  it("loses no ring", () => {
    fc.assert(
      fc.property(fc.array(star, { maxLength: 12 }), (rings) => {
        const sorted = (list: Ring[]) => list.map((ring) => JSON.stringify(ring)).sort();
        expect(sorted(nest(rings).flat())).toEqual(sorted(rings));
      }),
    );
  });
});

describe("pointInside", () => {
  it("lies inside any ring with an area", () => {
    fc.assert(fc.property(star, (ring) => ringContains(ring, ...pointInside(ring))));
    expect(pointInside([0, 0, 1, 0, 2, 0])).toEqual([0, 0]);
    expect(pointInside([])).toEqual([0, 0]);
  });
});

describe("polygons", () => {
  it("polygons contain points in an outer ring and in none of its holes", () => {
    const rings = [[onion[0]!, onion[1]!], [onion[2]!]];
    expect(ringsContain(rings, 5, 5)).toBe(true);
    expect(ringsContain(rings, 15, 15)).toBe(false);
    expect(ringsContain(rings, 50, 50)).toBe(true);
    expect(ringsContain([], 5, 5)).toBe(false);
  });

  it("polygons have bounds around all outer rings", () => {
    expect(ringsBounds([[square(0, 0, 10)], [[]], [square(50, 60, 5), square(0, 0, 100)]])).toEqual([0, 0, 55, 65]);
    expect(ringsBounds([])).toEqual([0, 0, 0, 0]);
  });

  it("polygons are normalised: outer rings clockwise, holes the other way, nothing degenerate", () => {
    const messy = [[[...reverseRing(square(0, 0, 10)), 0, 0], square(2, 2, 3), [1, 1, 2, 2]], [[5, 5, 5, 5]], [[]]];
    const normal = normaliseRings(messy);
    expect(normal.map((polygon) => polygon.map(signedArea))).toEqual([[100, -9]]);
    expect(normaliseRings(normal)).toEqual(normal);
  });

  it("polygons move as a whole", () => {
    expect(translateRings([[[1, 2, 3, 4]]], 10, 20)).toEqual([[[11, 22, 13, 24]]]);
  });
});
