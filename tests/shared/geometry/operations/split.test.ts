import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ring, Rings } from "../../../../shared/entities/shape";
import { subtract, unite } from "../../../../shared/geometry/boolean";
import { extent } from "../../../../shared/geometry/combine";
import { splitShape } from "../../../../shared/geometry/operations/split";
import { ringsContain } from "../../../../shared/geometry/polygons";
import { reverseRing } from "../../../../shared/geometry/ring";
import { square, star } from "../shapes";

const sizes = (parts: Rings[]): number[] => parts.map(extent);
const points = (rings: Rings): string[] =>
  rings.flat().flatMap((ring) => ring.flatMap((x, i) => (i % 2 === 0 ? [`${x} ${ring[i + 1]}`] : [])));

/** Greatest distance of a dropped sliver's corner from the line, in pixels. */
const SLIVER = 3;

/** Returns the distance of a point from a line that goes on straight beyond its ends. */
function distanceTo(line: Ring, [x, y]: number[]): number {
  const distances = [];
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [ax, ay, bx, by] = line.slice(i, i + 4) as [number, number, number, number];
    const length = Math.hypot(bx - ax, by - ay);
    distances.push(length === 0 ? Infinity : Math.abs((bx - ax) * (y! - ay) - (by - ay) * (x! - ax)) / length);
  }
  return Math.min(...distances);
}

describe("splitShape", () => {
  it("cuts a square in two, the larger part first, and keeps its corners", () => {
    const parts = splitShape([[square(0, 0, 100)]], [30, -10, 30, 110]);
    expect(sizes(parts)).toEqual([7000, 3000]);
    expect(points(parts[1]!).sort()).toEqual(["0 0", "0 100", "30 0", "30 100"]);
  });

  it("returns the same shape if the line does not cut it", () => {
    const shape = [[square(0, 0, 100)]];
    for (const line of [[200, 0, 300, 0], [-10, -10, 110, -10], [0, 0, 100, 0], [5], [], [50, 50], [50, 50, 50, 50]])
      expect(splitShape(shape, line)).toEqual([shape]);
  });

  it("does not make a sliver between the line and an outline a part", () => {
    const shape = [[square(0, 0, 10)]];
    expect(splitShape(shape, [-0.001, -1, 0.001, 11])).toEqual([shape]);
    expect(splitShape(shape, [-0.01, -1, 0.01, 11])).toHaveLength(2);
  });

  it("keeps a spike whose tip the line cuts off, where both crossings are rounded to one point", () => {
    const spike = [[[15.91, 37.62, 14, 59.75, 12.09, 37.62]]];
    const parts = splitShape(spike, [-26.8, 84.1, 57.3, 33.9, 12, 38, 30, 40]);
    expect(sizes(parts).reduce((a, b) => a + b)).toBeCloseTo(extent(spike), 1);
  });

  it("extends a line that ends inside to the outline", () => {
    expect(sizes(splitShape([[square(0, 0, 100)]], [50, 40, 50, 60]))).toEqual([5000, 5000]);
    expect(sizes(splitShape([[square(0, 0, 100)]], [25, -5, 25, 50]))).toEqual([7500, 2500]);
  });

  it("does not extend a line beyond the nearest outline", () => {
    const fork = [0, 0, 10, 0, 10, 30, 20, 30, 20, 0, 30, 0, 30, 40, 0, 40];
    expect(sizes(splitShape([[fork]], [-5, 10, 5, 10]))).toEqual([800, 100]);
  });

  it("follows a line with corners", () => {
    const parts = splitShape([[square(0, 0, 100)]], [50, -10, 50, 50, 110, 50]);
    expect(sizes(parts)).toEqual([7500, 2500]);
    expect(points(parts[1]!)).toHaveLength(4);
  });

  it("cuts out the area that a closed line surrounds, and leaves a hole there", () => {
    const [rest, middle] = splitShape([[square(0, 0, 100)]], [...square(40, 40, 20), 40, 40]);
    expect(rest!.map((polygon) => polygon.length)).toEqual([2]);
    expect([extent(rest!), extent(middle!)]).toEqual([9600, 400]);
  });

  it("cuts through a hole, which disappears between the parts", () => {
    const parts = splitShape([[square(0, 0, 100), square(40, 40, 20)]], [50, -10, 50, 110]);
    expect(sizes(parts)).toEqual([4800, 4800]);
    expect(parts.flat().map((polygon) => polygon.length)).toEqual([1, 1]);
  });

  it("does not cut a shape that the line only slits from its outline to a hole", () => {
    const shape = [[square(0, 0, 100), square(40, 40, 20)]];
    expect(splitShape(shape, [50, -10, 50, 50])).toEqual([shape]);
  });

  it("keeps a hole in the part that it lies in, in either direction", () => {
    for (const hole of [square(70, 40, 20), reverseRing(square(70, 40, 20))]) {
      const [right, left] = splitShape([[square(0, 0, 100), hole]], [40, -10, 40, 110]);
      expect([extent(right!), extent(left!)]).toEqual([5600, 4000]);
      expect(right![0]).toHaveLength(2);
    }
  });

  it("makes as many parts as the line cuts off", () => {
    const comb = [0, 0, 10, 0, 10, 30, 20, 30, 20, 0, 30, 0, 30, 30, 40, 30, 40, 0, 50, 0, 50, 40, 0, 40];
    expect(sizes(splitShape([[comb]], [-5, 20, 55, 20]))).toEqual([800, 200, 200, 200]);
  });

  it("gives polygons that are not cut to the nearest part", () => {
    const shape = [[square(0, 0, 100)], [square(110, 0, 10)], [square(-20, 0, 10)]];
    const [left, right] = splitShape(shape, [60, -10, 60, 110]);
    expect([extent(left!), extent(right!)]).toEqual([6100, 4100]);
    expect(left).toContainEqual([square(-20, 0, 10)]);
    expect(right).toContainEqual([square(110, 0, 10)]);
  });

  it("cuts polygons that overlap as one", () => {
    const parts = splitShape([[square(0, 0, 60)], [square(40, 0, 60)]], [50, -10, 50, 110]);
    expect(sizes(parts)).toEqual([3000, 3000]);
  });

  it("cuts a shape that crosses itself by its area", () => {
    const parts = splitShape([[[0, 0, 40, 40, 40, 0, 0, 40]]], [10, -5, 10, 45]);
    expect(sizes(parts).reduce((a, b) => a + b)).toBeCloseTo(800, 5);
  });

  it("passes through corners", () => {
    expect(sizes(splitShape([[square(0, 0, 100)]], [-10, -10, 110, 110]))).toEqual([5000, 5000]);
    expect(sizes(splitShape([[square(0, 0, 100)]], [0, 0, 100, 100]))).toEqual([5000, 5000]);
  });

  it("preserves the area and every point, and lets no parts overlap", () => {
    const coordinate = fc.integer({ min: -400, max: 1000 }).map((value) => value / 10);
    const line: fc.Arbitrary<Ring> = fc
      .array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 5 })
      .map((list) => list.flat());
    const hole = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.boolean());
    let cut = 0;
    fc.assert(
      fc.property(star, hole, line, (outer, [side, isHoled], path) => {
        const middle = outer.reduce((sum, value, i) => (i % 2 === 0 ? sum + value : sum), 0) / (outer.length / 2);
        const middleY = outer.reduce((sum, value, i) => (i % 2 === 1 ? sum + value : sum), 0) / (outer.length / 2);
        const inner = square(Math.round(middle), Math.round(middleY), side);
        const isInside = [0, 2, 4, 6].every((i) => ringsContain([[outer]], inner[i]!, inner[i + 1]!));
        const shape = unite([isHoled && isInside ? [outer, inner] : [outer]], []);
        const parts = splitShape(shape, path);
        if (parts.length > 1) cut++;
        expect(sizes(parts).reduce((a, b) => a + b)).toBeCloseTo(extent(shape), 0);
        const rest = parts.reduce((left, part) => subtract(left, part), shape);
        expect(extent(rest)).toBeLessThan(0.5);
        const kept = new Set(parts.flatMap(points));
        // Only a sliver between the line and the outline may be dropped.
        const lost = parts.length > 1 ? points(shape).filter((point) => !kept.has(point)) : [];
        for (const point of lost) expect(distanceTo(path, point.split(" ").map(Number)), point).toBeLessThan(SLIVER);
      }),
      { numRuns: 300 },
    );
    expect(cut).toBeGreaterThan(50);
  });
});
