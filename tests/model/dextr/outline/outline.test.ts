import { describe, expect, it } from "vitest";
import type { Prediction } from "../../../../model/dextr/base/prediction";
import { EVEN_THRESHOLD, HOLE_MIN, PIECE_MIN } from "../../../../model/dextr/base/recipe";
import type { Point } from "../../../../model/dextr/base/request";
import { outline } from "../../../../model/dextr/outline/outline";
import { iou, rasterise } from "../../../../model/evaluate/masks/bitmap";
import type { Rings } from "../../../../shared/entities/shape";
import { extent } from "../../../../shared/geometry/combine";
import { isSimple } from "../../../../shared/geometry/isSimple";
import { ringsBounds, ringsContain } from "../../../../shared/geometry/polygons";
import { signedArea } from "../../../../shared/geometry/ring";
import { seededRandom } from "../../../support/seededRandom";

const SIZE = 256;
const CROP = { left: 40, top: 60, right: 296, bottom: 316 };

/** Returns the output of a network that knows the distance from the border (image pixels, positive inside). */
function predictionOf(depth: (x: number, y: number) => number, some: Partial<Prediction> = {}): Prediction {
  const crop = some.crop ?? CROP;
  const size = some.size ?? SIZE;
  const probability = new Float32Array(size * size);
  for (let row = 0, i = 0; row < size; row++)
    for (let column = 0; column < size; column++, i++) {
      const x = crop.left + ((column + 0.5) / size) * (crop.right - crop.left);
      const y = crop.top + ((row + 0.5) / size) * (crop.bottom - crop.top);
      probability[i] = 1 / (1 + Math.exp(-depth(x, y)));
    }
  return { crop, size, probability, points: [], removed: [], reach: crop, ...some };
}

const disc = (cx: number, cy: number, radius: number) => (x: number, y: number) => radius - Math.hypot(x - cx, y - cy);
const square = (left: number, top: number, right: number, bottom: number) => (x: number, y: number) =>
  Math.min(x - left, right - x, y - top, bottom - y);
const either =
  (...depths: ((x: number, y: number) => number)[]) =>
  (x: number, y: number) =>
    Math.max(...depths.map((depth) => depth(x, y)));
const without = (a: (x: number, y: number) => number, b: (x: number, y: number) => number) => (x: number, y: number) =>
  Math.min(a(x, y), -b(x, y));

const found = (prediction: Prediction): Rings => outline(prediction, EVEN_THRESHOLD);

describe("outline", () => {
  it.each([
    ["a small object", 20],
    ["one of the grid's size", 200],
    ["a large one", 3000],
  ])("follows the true border of %s within a fraction of the network's cells", (_, side) => {
    const crop = { left: 10.3, top: 20.7, right: 10.3 + 1.4 * side, bottom: 20.7 + 1.3 * side };
    const [cx, cy, radius] = [crop.left + 0.7 * side, crop.top + 0.65 * side, side / 2];
    const cell = (1.4 * side) / SIZE;
    const depth = disc(cx, cy, radius);
    const rings = found(predictionOf((x, y) => depth(x, y) / cell, { crop, reach: crop }));
    expect(rings).toHaveLength(1);
    expect(rings[0]).toHaveLength(1);
    const [ring] = rings[0]!;
    for (let i = 0; i < ring!.length; i += 2)
      expect(Math.abs(depth(ring![i]!, ring![i + 1]!))).toBeLessThan(0.05 * cell);
    expect(extent(rings) / (Math.PI * radius ** 2)).toBeCloseTo(1, 1.5);
  });

  it("covers the pixels of the true shape", () => {
    const depth = either(square(80, 90, 200, 150), disc(200, 220, 60), square(100, 100, 120, 280));
    const [width, height] = [340, 340];
    const truth = Uint8Array.from({ length: width * height }, (_, i) =>
      depth((i % width) + 0.5, Math.floor(i / width) + 0.5) > 0 ? 1 : 0,
    );
    const mask = rasterise(found(predictionOf(depth)), width, height);
    expect(iou(mask, { width, height, data: truth }, null)).toBeGreaterThan(0.99);
  });

  it("has few points on straight borders", () => {
    const [[ring]] = found(predictionOf(square(80, 90, 200, 150))) as [number[][]];
    expect(ring!.length / 2).toBeLessThanOrEqual(12);
  });

  it("shrinks as the threshold rises, from the whole reach to only what is certain", () => {
    const prediction = predictionOf((x, y) => disc(170, 190, 60)(x, y) / 10);
    const sizes = [0, 10, 30, 50, 70, 80, 90, 99, 100].map((threshold) => extent(outline(prediction, threshold)));
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(sizes[0]).toBeGreaterThan(2 * sizes[5]!);
    expect(sizes.at(-1)).toBe(0);
  });

  it("follows the reach exactly where the object continues beyond it", () => {
    const reach = { left: 100.25, top: 90, right: 220, bottom: 301.5 };
    expect(ringsBounds(found(predictionOf(() => 9, { reach })))).toEqual([100.25, 90, 119.75, 211.5]);
    const [[ring]] = found(predictionOf(() => 9, { reach })) as [number[][]];
    expect(new Set(pairs(ring!))).toEqual(new Set(["100.25 90", "220 90", "220 301.5", "100.25 301.5"]));

    const cut = found(predictionOf(disc(100.25, 190, 60), { reach }));
    expect(ringsBounds(cut)[0]).toBe(100.25);
    expect(extent(cut)).toBeCloseTo((Math.PI * 60 ** 2) / 2, -2);
  });

  it("reaches a border that has no cell centre beside it", () => {
    const narrow = { left: 120.6, top: 60, right: 120.9, bottom: 316 };
    expect(extent(found(predictionOf(() => 9, { reach: narrow })))).toBeCloseTo(0.3 * 256, 9);
  });

  it("is empty if the reach is empty or nothing was found", () => {
    expect(found(predictionOf(() => 9, { reach: { left: 0, top: 0, right: 0, bottom: 0 } }))).toEqual([]);
    expect(found(predictionOf(() => -9))).toEqual([]);
    expect(found(predictionOf(() => Number.NaN))).toEqual([]);
  });

  it("refuses a threshold outside 0 to 100", () => {
    expect(() =>
      outline(
        predictionOf(() => 1),
        Number.NaN,
      ),
    ).toThrow("0 to 100");
  });
});

function pairs(ring: number[]): string[] {
  return ring.flatMap((x, i) => (i % 2 === 0 ? [`${x} ${ring[i + 1]}`] : []));
}

describe("pieces of an outline", () => {
  const large = disc(150, 180, 60);
  const share = (of: number) => 60 * Math.sqrt(of);

  it("pieces are kept if they are large or a point lies on them", () => {
    const crumb = disc(270, 100, share(PIECE_MIN / 2));
    const part = disc(265, 280, share(PIECE_MIN * 1.5));
    const depth = either(large, crumb, part);
    expect(found(predictionOf(depth))).toHaveLength(2);
    const points: Point[] = [[270, 99]];
    expect(found(predictionOf(depth, { points }))).toHaveLength(3);
  });

  it("pieces are kept if a point is within a cell or two, and dropped if it is farther away", () => {
    const depth = either(large, disc(270, 100, 8));
    const beside: Point = [280, 99.5];
    const away: Point = [284, 99.5];
    expect(found(predictionOf(depth, { points: [beside] }))).toHaveLength(2);
    expect(found(predictionOf(depth, { points: [away] }))).toHaveLength(1);
  });

  it("pieces keep their holes except small ones", () => {
    const hole = disc(130, 180, share(HOLE_MIN * 2));
    const pinhole = disc(180, 180, share(HOLE_MIN / 2));
    const rings = found(predictionOf(without(without(large, hole), pinhole)));
    expect(rings).toHaveLength(1);
    expect(rings[0]).toHaveLength(2);
    expect(ringsContain(rings, 130, 180)).toBe(false);
    expect(ringsContain(rings, 180, 180)).toBe(true);
    expect(rings[0]!.map((ring) => Math.sign(signedArea(ring)))).toEqual([1, -1]);
    const kept = found(predictionOf(without(without(large, hole), pinhole), { removed: [[179.5, 179.5]] }));
    expect(kept[0]).toHaveLength(3);
    expect(ringsContain(kept, 180, 180)).toBe(false);
  });

  it("pieces are not duplicated inside a filled hole", () => {
    const target = either(without(large, disc(150, 180, 5)), disc(150, 180, 1.5));
    const rings = found(predictionOf((x, y) => 5 * target(x, y), { points: [[149.5, 179.5]] }));
    expect(rings).toHaveLength(1);
    expect(rings[0]).toHaveLength(1);
  });

  it("pieces are kept inside a hole that is kept", () => {
    const target = either(without(large, disc(150, 180, 30)), disc(150, 180, 20));
    const rings = found(predictionOf(target));
    expect(rings.map((polygon) => polygon.length).sort()).toEqual([1, 2]);
  });
});

describe("an outline of noise", () => {
  it("consists of simple rings inside the reach that never overlap", () => {
    const random = seededRandom(11);
    for (let n = 0; n < 8; n++) {
      const size = 32;
      const probability = Float32Array.from({ length: size * size }, random);
      const [left, top] = [random() * 100, random() * 100];
      const crop = { left, top, right: left + 5 + random() * 900, bottom: top + 5 + random() * 900 };
      const inner = (from: number, to: number, share: number) => from + share * (to - from);
      const reach = {
        left: inner(left, crop.right, 0.2 * random()),
        right: inner(left, crop.right, 1 - 0.2 * random()),
        top: inner(top, crop.bottom, 0.2 * random()),
        bottom: inner(top, crop.bottom, 1 - 0.2 * random()),
      };
      const points: Point[] = Array.from({ length: 5 }, () => [
        inner(left, crop.right, random()),
        inner(top, crop.bottom, random()),
      ]);
      const rings = outline({ crop, size, probability, points, removed: [], reach }, 75 + 10 * random());
      expect(rings.length).toBeGreaterThan(0);
      const [x, y, width, height] = ringsBounds(rings);
      expect(x).toBeGreaterThanOrEqual(reach.left);
      expect(y).toBeGreaterThanOrEqual(reach.top);
      expect(x + width).toBeLessThanOrEqual(reach.right + 1e-9);
      expect(y + height).toBeLessThanOrEqual(reach.bottom + 1e-9);
      expect(rings.flat().every(isSimple)).toBe(true);
      rings.forEach(([outer], i) => {
        expect(rings.some((other, j) => i !== j && ringsContain([other], outer![0]!, outer![1]!))).toBe(false);
      });
    }
  });
});
