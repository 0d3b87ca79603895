import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areaOf, mergeRuns, type Runs, ringsToRle } from "../../../shared/coco/mask";
import type { Ring, Rings } from "../../../shared/entities/shape";
import { subtract, unite } from "../../../shared/geometry/boolean";
import { translateRing } from "../../../shared/geometry/ring";
import { paint, type Stroke } from "../../../shared/geometry/stroke";
import { square, star } from "./shapes";

/** Compares outlines with pixel masks, on an image of 200 by 200. */
const SIDE = 200;
const maskOf = (rings: Rings): Runs => ringsToRle(rings, SIDE, SIDE);

function lengthOf(rings: Rings): number {
  const edges = (ring: Ring) =>
    ring.reduce((sum, _, i) => {
      const k = (i + 2) % ring.length;
      return i % 2 === 0 ? sum + Math.hypot(ring[k]! - ring[i]!, ring[k + 1]! - ring[i + 1]!) : sum;
    }, 0);
  return rings.flat().reduce((sum, ring) => sum + edges(ring), 0);
}

/**
 * Returns the number of pixels in only one of the masks: some differ at the outlines, because each is rasterised
 * separately.
 */
function countDifferences(a: Runs, b: Runs): number {
  return areaOf(mergeRuns([a, b], "union")) - areaOf(mergeRuns([a, b], "intersection"));
}

const eight: Ring = [20, 20, 120, 140, 140, 30, 10, 110];
const outline = fc.oneof(star, star, fc.constant(eight));
const polygon = fc
  .tuple(outline, fc.integer({ min: 30, max: 100 }), fc.integer({ min: 30, max: 100 }), fc.boolean())
  .map(([ring, x, y, isHolow]) => {
    const outer = translateRing(ring, x, y);
    return isHolow ? [square(x, y, 90), square(x + 20, y + 10, 40), square(x + 50, y + 40, 30)] : [outer];
  });
const shape = fc.array(polygon, { minLength: 1, maxLength: 3 });

const place = fc.integer({ min: -20, max: 220 });
const stroke: fc.Arbitrary<Stroke> = fc.record({
  path: fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 8 }).map((places) => places.flat()),
  radius: fc.double({ min: 0.5, max: 40, noNaN: true }),
});

function strokeMask({ path, radius }: Stroke): Runs {
  const bytes = new Uint8Array(SIDE * SIDE);
  const count = path.length / 2;
  for (let i = 0; i < Math.max(count - 1, 1); i++) {
    const [x0, y0] = [path[2 * i]!, path[2 * i + 1]!];
    const [dx, dy] = count === 1 ? [0, 0] : [path[2 * i + 2]! - x0, path[2 * i + 3]! - y0];
    const square = dx * dx + dy * dy;
    for (let x = 0; x < SIDE; x++)
      for (let y = 0; y < SIDE; y++) {
        const [px, py] = [x + 0.5 - x0, y + 0.5 - y0];
        const t = square === 0 ? 0 : Math.min(Math.max((px * dx + py * dy) / square, 0), 1);
        if (Math.hypot(px - t * dx, py - t * dy) <= radius) bytes[x * SIDE + y] = 1;
      }
  }
  const runs: Runs = [0];
  bytes.forEach((value, i) => {
    if (i > 0 ? value !== bytes[i - 1] : value === 1) runs.push(0);
    runs[runs.length - 1]!++;
  });
  return runs;
}

describe("outlines cover the same pixels as masks", () => {
  it("uniting and subtracting cover the same pixels as masks, with holes, crossings and overlaps", () => {
    fc.assert(
      fc.property(shape, shape, (a, b) => {
        const few = 0.4 * (lengthOf(a) + lengthOf(b)) + 10;
        const masks = [maskOf(a), maskOf(b)];
        expect(countDifferences(maskOf(unite(a, b)), mergeRuns(masks, "union"))).toBeLessThan(few);
        expect(countDifferences(maskOf(subtract(a, b)), mergeRuns(masks, "difference"))).toBeLessThan(few);
        expect(areaOf(maskOf(subtract(subtract(a, b), a)))).toBeLessThan(few);
      }),
      { numRuns: 150 },
    );
  });

  it("painting and erasing cover the same pixels as masks, with strokes that cross themselves and leave the image", () => {
    fc.assert(
      fc.property(shape, stroke, (rings, drawn) => {
        const few = 0.4 * lengthOf(rings) + lengthOf([[drawn.path]]) + 3 * drawn.radius + 10;
        const masks = [maskOf(rings), strokeMask(drawn)];
        const united = paint(rings, drawn, { operation: "unite", simplify: 1, minArea: 0 });
        expect(countDifferences(maskOf(united), mergeRuns(masks, "union"))).toBeLessThan(few);
        const erased = paint(rings, drawn, { operation: "subtract", simplify: 1, minArea: 0 });
        expect(countDifferences(maskOf(erased), mergeRuns(masks, "difference"))).toBeLessThan(few);
      }),
      { numRuns: 60 },
    );
  });
});
