import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutHoles } from "../../../shared/coco/cutHoles";
import { polygonsToRle, ringsToRle } from "../../../shared/coco/mask";
import { traceRuns } from "../../../shared/coco/trace";
import { runsOfBytes } from "./boundaryWalk";

const circle = (x: number, y: number, radius: number, points: number) =>
  Array.from({ length: points }, (_, i) => {
    const angle = (2 * Math.PI * i) / points;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  }).flat();

const coordinate = fc.double({ min: -10, max: 50, noNaN: true });
const ring = fc.array(coordinate, { maxLength: 20 }).map((flat) => flat.slice(0, flat.length - (flat.length % 2)));
const rings = fc.array(fc.array(ring, { minLength: 1, maxLength: 4 }), { maxLength: 3 });
const side = fc.integer({ min: 1, max: 40 });

describe("cutHoles", () => {
  it("returns pieces of the same mask, for any polygons and holes", () => {
    fc.assert(
      fc.property(rings, side, side, (shape, width, height) => {
        expect(polygonsToRle(cutHoles(shape, width, height), width, height)).toEqual(ringsToRle(shape, width, height));
      }),
      { numRuns: 1000 },
    );
  });

  it("returns pieces of the same mask for any traced mask", () => {
    const bits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 144, maxLength: 144 });
    fc.assert(
      fc.property(bits, fc.integer({ min: 4, max: 9 }), (list, dense) => {
        const runs = runsOfBytes(Uint8Array.from(list, (bit) => Number(bit < dense)));
        const pieces = cutHoles(traceRuns(runs, 12, 12), 12, 12);
        expect(polygonsToRle(pieces, 12, 12)).toEqual(runs);
      }),
      { numRuns: 500 },
    );
  });

  it("cuts around holes using the shape's own points alone", () => {
    const shape = [[circle(100, 100, 80, 90), circle(70, 90, 20, 40), circle(130, 110, 25, 40)]];
    const pieces = cutHoles(shape, 200, 200);
    expect(pieces).toHaveLength(2);
    expect(pieces.flat().every((value) => shape.flat(2).includes(value))).toBe(true);
    expect(polygonsToRle(pieces, 200, 200)).toEqual(ringsToRle(shape, 200, 200));
  });

  it("leaves polygons unchanged that have no holes, or only holes that remove nothing", () => {
    const outer = [0, 0, 10.5, 0, 10, 10, 0, 10];
    expect(cutHoles([[outer], [outer, [20, 20, 30, 20, 30, 30]], [outer, [], [1, 1]]], 40, 40)).toEqual([
      outer,
      outer,
      outer,
    ]);
    expect(cutHoles([], 40, 40)).toEqual([]);
  });

  it("returns nothing if the hole removes everything", () => {
    const outer = [0, 0, 10, 0, 10, 10, 0, 10];
    expect(polygonsToRle(cutHoles([[outer, [-5, -5, 20, -5, 20, 20, -5, 20]]], 40, 40), 40, 40)).toEqual([1600]);
  });
});
