import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ringsContain } from "../../../shared/geometry/polygons";
import { ringBounds, segmentDistance, signedArea } from "../../../shared/geometry/ring";
import { paint, type Stroke, strokeRings } from "../../../shared/geometry/stroke";
import { square, star } from "./shapes";

const place = fc.integer({ min: -60, max: 260 });
const stroke: fc.Arbitrary<Stroke> = fc.record({
  path: fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 12 }).map((places) => places.flat()),
  radius: fc.integer({ min: 1, max: 40 }),
});

/** Returns a point's distance from the path of the brush's centre. */
function distance({ path }: Stroke, x: number, y: number): number {
  if (path.length === 2) return Math.hypot(path[0]! - x, path[1]! - y);
  const steps = Array.from({ length: path.length / 2 - 1 }, (_, i) => path.slice(2 * i, 2 * i + 4));
  return Math.min(...steps.map(([x0, y0, x1, y1]) => segmentDistance(x0!, y0!, x1!, y1!, x, y)));
}

const unite = { operation: "unite", simplify: 1, minArea: 0 } as const;
const subtract = { operation: "subtract", simplify: 1, minArea: 10 } as const;

describe("strokeRings", () => {
  it("covers the points within the radius of the brush's path, up to the tolerance", () => {
    fc.assert(
      fc.property(stroke, fc.array(fc.tuple(place, place), { maxLength: 30 }), (drawn, places) => {
        const rings = strokeRings(drawn, 1);
        for (const [wholeX, wholeY] of places) {
          const [x, y] = [wholeX + 0.0123, wholeY + 0.0321];
          const far = distance(drawn, x, y) - drawn.radius;
          if (Math.abs(far) > 0.55) expect(ringsContain(rings, x, y)).toBe(far < 0);
        }
      }),
    );
  });

  it("is cut at the border of the image on request", () => {
    fc.assert(
      fc.property(stroke, (drawn) => {
        const flat = strokeRings(drawn, 1, { width: 200, height: 120 }).flat(2);
        for (let i = 0; i < flat.length; i += 2) {
          expect(flat[i]! >= 0 && flat[i]! <= 200).toBe(true);
          expect(flat[i + 1]! >= 0 && flat[i + 1]! <= 120).toBe(true);
        }
      }),
    );
  });

  it("is empty for an empty path and for no radius", () => {
    expect(strokeRings({ path: [], radius: 5 }, 1)).toEqual([]);
    expect(strokeRings({ path: [5, 5], radius: 0 }, 1)).toEqual([]);
  });

  it("has few points if the tolerance is large, and many if it is zero", () => {
    const count = (tolerance: number) => strokeRings({ path: [0, 0], radius: 30 }, tolerance).flat(2).length / 2;
    expect(count(1)).toBeLessThan(40);
    expect(count(0)).toBeGreaterThan(30);
    expect(count(0)).toBeLessThan(200);
  });
});

describe("strokeRings with unusual numbers", () => {
  const areaOf = (drawn: Stroke) =>
    strokeRings(drawn, 0)
      .flat()
      .reduce((sum, ring) => sum + signedArea(ring), 0);

  it("is a disc for one point, even if the point is repeated", () => {
    for (const path of [[50, 50], [50, 50, 50, 50], Array.from({ length: 400 }, () => 50)]) {
      expect(strokeRings({ path, radius: 20 }, 0).map((polygon) => polygon.length)).toEqual([1]);
      expect(areaOf({ path, radius: 20 }) / (Math.PI * 400)).toBeCloseTo(1, 1);
    }
  });

  it("has round ends and joins, also back and forth over the same path", () => {
    const there = areaOf({ path: [0, 0, 100, 0], radius: 10 });
    expect(there / (2000 + Math.PI * 100)).toBeCloseTo(1, 2);
    expect(areaOf({ path: [0, 0, 100, 0, 0, 0, 100, 0], radius: 10 }) / there).toBeCloseTo(1, 2);
    const corner = strokeRings({ path: [0, 0, 100, 0, 100, 100], radius: 10 }, 0);
    expect(ringsContain(corner, 106.5, -6.5)).toBe(true);
    expect(ringsContain(corner, 107.5, -7.5)).toBe(false);
  });

  it("leaves an enclosed area as a hole, and fills it if the brush is wide enough", () => {
    const loop = Array.from({ length: 60 }, (_, i) => [80 * Math.cos(i / 9), 80 * Math.sin(i / 9)]).flat();
    expect(strokeRings({ path: loop, radius: 30 }, 1).map((polygon) => polygon.length)).toEqual([2]);
    expect(ringsContain(strokeRings({ path: loop, radius: 30 }, 1), 0, 0)).toBe(false);
    expect(strokeRings({ path: loop, radius: 81 }, 1).map((polygon) => polygon.length)).toEqual([1]);
    const painted = paint([[square(-200, -200, 20)]], { path: loop, radius: 30 }, unite);
    expect(ringsContain(painted, 0, 0)).toBe(false);
    expect(ringsContain(painted, 80, 0)).toBe(true);
  });

  it("has an area for tiny and huge radii", () => {
    for (const radius of [0.05, 0.3, 1, 1000, 50_000]) {
      expect(areaOf({ path: [5, 5], radius }) / (Math.PI * radius ** 2)).toBeGreaterThan(0.9);
      expect(areaOf({ path: [5, 5], radius }) / (Math.PI * radius ** 2)).toBeLessThan(1.05);
    }
    expect(areaOf({ path: [5, 5], radius: Number.POSITIVE_INFINITY })).toBeGreaterThan(1e10);
  });

  it("is empty if its radius or all its points are not numbers, and skips single invalid points", () => {
    const shape = [[square(0, 0, 100)]];
    for (const radius of [0, -3, Number.NaN]) expect(paint(shape, { path: [100, 50], radius }, unite)).toBe(shape);
    for (const path of [[], [Number.NaN, 5], [5], [Number.POSITIVE_INFINITY, 5]]) {
      expect(paint(shape, { path, radius: 9 }, subtract)).toBe(shape);
    }
    const gappy = strokeRings({ path: [0, 0, Number.NaN, 5, 50, 0], radius: 5 }, 1);
    expect(gappy).toEqual(strokeRings({ path: [0, 0, 50, 0], radius: 5 }, 1));
    expect(strokeRings({ path: [0, 0], radius: 5 }, Number.NaN)).toHaveLength(1);
  });

  it("is drawn without gaps between distant points, also for ten thousand of them", () => {
    const path = Array.from({ length: 10_000 }, (_, i) => [i / 10, 50 + 40 * Math.sin(i / 300)]).flat();
    expect(strokeRings({ path, radius: 3 }, 1).map((polygon) => polygon.length)).toEqual([1]);
    expect(strokeRings({ path: [0, 0, 5000, 3000], radius: 1 }, 1)).toHaveLength(1);
  });
});

describe("paint", () => {
  it("keeps a small piece that is in the eraser's bounding box, but not under it", () => {
    const crumb = [20.123456, 20, 22, 20, 22, 22];
    const shape = [[square(0, 0, 5)], [crumb], [square(90, 0, 100)]];
    const erased = paint(shape, { path: [0, 60, 100, 60, 100, 0], radius: 12 }, subtract);
    expect(erased.flat().map((ring) => ringBounds(ring))).toContainEqual(ringBounds(crumb));
  });

  it("leaves polygons away from the stroke bitwise unchanged", () => {
    const odd = [300.123456789, 300.987654321, 320.5, 300.1, 310.25, 330.77777];
    for (const options of [unite, subtract]) {
      const painted = paint([[odd], [square(0, 0, 50)]], { path: [25, 25], radius: 10 + 30 }, options);
      expect(painted[0]).toEqual([odd]);
    }
  });

  it("returns the same shape if nothing is added or removed", () => {
    const shape = [[[0.1234567, 0, 100, 0.7654321, 100, 100, 0, 100]]];
    expect(paint(shape, { path: [50, 50], radius: 10 }, unite)).toBe(shape);
    expect(paint(shape, { path: [190, 190], radius: 10 }, subtract)).toBe(shape);
    expect(paint(shape, { path: [108, 108], radius: 10 }, subtract)).toBe(shape);
  });

  it("drops the crumbs of an eraser but no small piece away from it", () => {
    const crumb = square(200, 200, 3);
    const shape = [[square(0, 0, 100)], [crumb]];
    const disc = { path: [50, 50], radius: 70 };
    expect(paint(shape, disc, { ...subtract, simplify: 0 })).toEqual([[crumb]]);
    expect(paint(shape, disc, { ...subtract, simplify: 0, minArea: 0 })).toHaveLength(5);
  });

  it("restores the erased area when the same path is painted, without a hairline", () => {
    const shape = [[square(0, 0, 200)]];
    const way = { path: [-40.123, 30.456, 90.789, 170.321, 260.5, 100.7], radius: 17 };
    const healed = paint(paint(shape, way, subtract), way, unite);
    expect(healed.map((polygon) => polygon.length)).toEqual([1]);
    expect(healed[0]?.[0]?.length).toBeLessThan(100);
  });

  it("erases the path of a painted stroke, on any shape", () => {
    fc.assert(
      fc.property(star, stroke, (ring, drawn) => {
        const erased = paint(paint([[ring]], drawn, unite), drawn, subtract);
        for (let i = 0; i + 1 < drawn.path.length; i += 2)
          expect(ringsContain(erased, drawn.path[i]!, drawn.path[i + 1]!)).toBe(false);
      }),
    );
  });
});
