import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areaOf, bboxOf, mergeRuns, polygonsToRle, ringsToRle } from "../../../shared/coco/mask";
import { measure } from "../../../shared/coco/measure";
import { countCrossings } from "../../../shared/coco/raster/edges";
import { rasterise } from "../../../shared/coco/raster/rasterise";
import { compress, decompress } from "../../../shared/coco/rle";
import { runsOfBytes, walkedMask } from "./boundaryWalk";

interface Vector {
  id: number;
  width: number;
  height: number;
  segmentation: number[][];
  area: number;
  bbox: number[];
  counts: string;
  uncompressed: number[];
}

const VECTORS = new URL("../../../../shared/coco/mask-vectors.json", import.meta.url);

/** Rings of every kind: whole, decimal, outside the image, repeated points, no points. */
const coordinate = fc.oneof(
  fc.integer({ min: -20, max: 60 }),
  fc.integer({ min: -100, max: 300 }).map((n) => n / 5),
  fc.double({ min: -20, max: 60, noNaN: true }),
  fc.double({ min: -20, max: 60, noNaN: true }).map((n) => Math.round(n * 100) / 100),
  fc.constantFrom(-300, 400, 0, 0.5, 0.1, -0.1, 39.9, 40, -0.5),
);
const point = fc.tuple(coordinate, coordinate);
const ring = fc
  .array(fc.tuple(point, fc.integer({ min: 1, max: 2 })), { maxLength: 12 })
  .map((points) => points.flatMap(([p, times]) => (times === 1 ? p : [...p, ...p])));
const side = fc.integer({ min: 1, max: 40 });

function bytesOf(runs: number[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let start = 0;
  runs.forEach((length, i) => {
    bytes.fill(i % 2, start, start + length);
    start += length;
  });
  return bytes;
}

describe("polygonsToRle", () => {
  it("equals the reference mask code for 400 polygons", () => {
    if (!existsSync(VECTORS)) {
      console.warn("NOT CHECKED: the results of the reference are not beside this repository.");
      return;
    }
    const vectors: Vector[] = JSON.parse(readFileSync(VECTORS, "utf8"));
    expect(vectors.length).toBe(400);
    for (const { id, width, height, segmentation, ...expected } of vectors) {
      const runs = polygonsToRle(segmentation, width, height);
      expect({
        id,
        area: areaOf(runs),
        bbox: bboxOf(runs, height),
        counts: compress(runs),
        uncompressed: runs,
      }).toEqual({
        id,
        ...expected,
      });
      expect(decompress(expected.counts)).toEqual(expected.uncompressed);
    }
  });

  it("equals the boundary walked step by step, for any ring", () => {
    fc.assert(
      fc.property(ring, side, side, (flat, width, height) => {
        expect(polygonsToRle([flat], width, height)).toEqual(runsOfBytes(walkedMask(flat, width, height)));
      }),
      { numRuns: 2000 },
    );
  });

  it("equals the boundary walked step by step if long edges leave the image", () => {
    const far = fc.double({ min: -3000, max: 3000, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(far, coordinate), { minLength: 6, maxLength: 16 }),
        side,
        side,
        (flat, width, height) => {
          const even = flat.slice(0, flat.length - (flat.length % 2));
          expect(polygonsToRle([even], width, height)).toEqual(runsOfBytes(walkedMask(even, width, height)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("unites overlapping polygons", () => {
    fc.assert(
      fc.property(fc.array(ring, { minLength: 1, maxLength: 4 }), side, side, (list, width, height) => {
        const united = new Uint8Array(width * height);
        for (const flat of list) for (const [i, bit] of walkedMask(flat, width, height).entries()) united[i]! |= bit;
        expect(polygonsToRle(list, width, height)).toEqual(runsOfBytes(united));
      }),
    );
  });

  it("does not depend on a ring's first point, or on whether that point is repeated at the end", () => {
    fc.assert(
      fc.property(ring, side, side, (flat, width, height) => {
        const runs = polygonsToRle([flat], width, height);
        expect(polygonsToRle([[...flat, ...flat.slice(0, 2)]], width, height)).toEqual(runs);
        expect(polygonsToRle([[...flat.slice(2), ...flat.slice(0, 2)]], width, height)).toEqual(runs);
      }),
    );
  });

  it("is empty for rings of no, one or two points, and ignores a trailing odd number", () => {
    for (const flat of [[], [3], [3, 4], [3, 4, 8, 9]]) expect(polygonsToRle([flat], 10, 10)).toEqual([100]);
    expect(polygonsToRle([], 10, 10)).toEqual([100]);
    expect(polygonsToRle([[1, 1, 4, 1, 4, 5, 1, 5, 9]], 10, 10)).toEqual(
      polygonsToRle([[1, 1, 4, 1, 4, 5, 1, 5]], 10, 10),
    );
  });

  it("fills the whole image from a ring far around it", () => {
    expect(polygonsToRle([[-1e7, -1e7, 1e7, -1e7, 1e7, 1e7, -1e7, 1e7]], 100, 80)).toEqual([0, 8000]);
    expect(polygonsToRle([[-1e300, -1e300, 1e300, -1e300, 1e300, 1e300, -1e300, 1e300]], 100, 80)).toEqual([0, 8000]);
  });

  it("fills half the image under a diagonal ten million pixels long", () => {
    const area = areaOf(polygonsToRle([[-1e7, -1e7, 1e7, 1e7, -1e7, 1e7]], 1000, 1000));
    expect(Math.abs(area - 500_000)).toBeLessThan(2000);
  });

  it("handles many points at adverse places without filling memory", () => {
    const flat = Array.from({ length: 20_000 }, (_, i) => (i % 2 ? -1e7 : 1e7) + ((i * 7919) % 1000));
    expect(areaOf(polygonsToRle([flat], 100, 100))).toBeLessThanOrEqual(10_000);
  });

  it("refuses values that are not numbers, and outlines that cross the image too often", () => {
    expect(() => polygonsToRle([[Number.NaN, 1, 4, 1, 4, 5]], 10, 10)).toThrow(RangeError);
    const zigzag = Array.from({ length: 80_000 }, (_, i) => (i % 2 ? 50 + (i % 13) : (i / 2) % 2 ? 1e5 : -1e5));
    expect(() => polygonsToRle([zigzag], 10_000, 100)).toThrow(RangeError);
  });

  it("counts the crossings of all rings of a shape together", () => {
    const comb = Array.from({ length: 400 }, (_, i) => [i % 2 ? 10_000 : 0, 1 + (i % 97)]).flat();
    expect(() => polygonsToRle(Array(20).fill(comb), 10_000, 100)).toThrow(RangeError);
    expect(polygonsToRle([comb, comb], 10_000, 100)).toEqual(polygonsToRle([comb], 10_000, 100));
  });

  it("fills a crowded image like the boundary walked step by step", () => {
    const teeth = Array.from({ length: 2000 }, (_, i) => [i % 2 ? 2400 : 100, 10 + i * 0.4]).flat();
    const runs = polygonsToRle([teeth], 2500, 900);
    expect(runs).toEqual(runsOfBytes(walkedMask(teeth, 2500, 900)));
  });
});

describe("ringsToRle", () => {
  it("removes holes from their own polygon only", () => {
    const outer = [0, 0, 10, 0, 10, 10, 0, 10];
    const hole = [2, 2, 8, 2, 8, 8, 2, 8];
    const inHole = [4, 4, 6, 4, 6, 6, 4, 6];
    expect(areaOf(ringsToRle([[outer, hole]], 20, 20))).toBe(64);
    expect(areaOf(ringsToRle([[outer, hole], [inHole]], 20, 20))).toBe(68);
    expect(areaOf(ringsToRle([[inHole], [outer, hole]], 20, 20))).toBe(68);
  });

  it("equals polygonsToRle if there is no hole", () => {
    fc.assert(
      fc.property(fc.array(ring, { maxLength: 4 }), side, side, (list, width, height) => {
        expect(
          ringsToRle(
            list.map((flat) => [flat]),
            width,
            height,
          ),
        ).toEqual(polygonsToRle(list, width, height));
      }),
    );
  });
});

describe("rasterise", () => {
  /** Fills each pixel by the even-odd rule of each ring alone: outer ring minus holes, all united. */
  const filled = (rings: number[][][], width: number, height: number) => {
    const mask = new Uint8Array(width * height);
    for (const [outer = [], ...holes] of rings) {
      const own = walkedMask(outer, width, height);
      for (const hole of holes) for (const [i, bit] of walkedMask(hole, width, height).entries()) if (bit) own[i] = 0;
      for (const [i, bit] of own.entries()) mask[i]! |= bit;
    }
    return runsOfBytes(mask);
  };
  const crowded = fc.array(fc.tuple(coordinate, coordinate), { maxLength: 150 }).map((points) => points.flat());
  const polygon = fc.array(fc.oneof(ring, ring, crowded), { minLength: 1, maxLength: 4 });

  it("combines outer rings and holes like separate masks, whether columns are empty or crowded", () => {
    fc.assert(
      fc.property(fc.array(polygon, { maxLength: 5 }), side, side, (rings, width, height) => {
        expect(ringsToRle(rings, width, height)).toEqual(filled(rings, width, height));
      }),
      { numRuns: 500 },
    );
  });

  it("combines hundreds of small rings in one column", () => {
    const small = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 5 }).map((list) => list.flat());
    fc.assert(
      fc.property(
        fc.array(fc.array(small, { minLength: 1, maxLength: 2 }), { minLength: 60 }),
        side,
        (rings, height) => {
          expect(ringsToRle(rings, 40, height)).toEqual(filled(rings, 40, height));
        },
      ),
      { numRuns: 30 },
    );
  });

  it("measures the same as the mask's runs", () => {
    fc.assert(
      fc.property(fc.array(polygon, { maxLength: 4 }), side, side, (rings, width, height) => {
        const runs = ringsToRle(rings, width, height);
        expect(measure(rings, width, height)).toEqual({ area: areaOf(runs), bbox: bboxOf(runs, height) });
      }),
    );
  });

  it("visits each column that an outline crosses once", () => {
    const teeth = Array.from({ length: 200 }, (_, i) => [i % 2 ? 90 : 10, i]).flat();
    const columns: number[] = [];
    rasterise([[teeth]], 100, 300, (column) => columns.push(column));
    expect(columns).toEqual(Array.from({ length: 80 }, (_, i) => 10 + i));
    expect(countCrossings([[teeth]], 100)).toBe(200 * 80);
  });

  it("counts no crossings beside the image or of vertical edges", () => {
    expect(countCrossings([[[5.2, 0, 5.4, 90, 5.2, 40]]], 100)).toBe(0);
    expect(countCrossings([[[-500, 0, -9, 90, -80, 40]]], 100)).toBe(0);
    expect(countCrossings([], 100)).toBe(0);
  });

  it("returns no runs for a mask with more pieces than an RLE may have, but measures it", () => {
    const teeth = Array.from({ length: 3600 }, (_, i) => [i % 2 ? 4990 : 0, (i * 5000) / 3600]).flat();
    expect(() => ringsToRle([[teeth]], 5000, 5000)).toThrow(RangeError);
    expect(measure([[teeth]], 5000, 5000).bbox).toEqual([1, 0, 4989, 4999]);
  });
});

describe("mergeRuns", () => {
  const masks = fc
    .tuple(side, side, fc.integer({ min: 1, max: 5 }))
    .chain(([width, height, n]) =>
      fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: width * height, maxLength: width * height }), {
        minLength: n,
        maxLength: n,
      }),
    )
    .map((list) => list.map((bits) => Uint8Array.from(bits)));

  it("combines runs as boolean operators combine bits", () => {
    fc.assert(
      fc.property(masks, (list) => {
        const bits = (pick: (values: number[]) => boolean) =>
          runsOfBytes(list[0]!.map((_, i) => Number(pick(list.map((mask) => mask[i]!)))));
        const runs = list.map(runsOfBytes);
        expect(mergeRuns(runs, "union")).toEqual(bits((values) => values.includes(1)));
        expect(mergeRuns(runs, "intersection")).toEqual(bits((values) => !values.includes(0)));
        expect(mergeRuns(runs, "difference")).toEqual(bits(([a, ...rest]) => a === 1 && !rest.includes(1)));
      }),
    );
  });

  it("accepts empty runs in its input", () => {
    expect(mergeRuns([[0, 0, 3, 2, 0, 1, 4], [10]], "union")).toEqual([3, 3, 4]);
    expect(mergeRuns([[], []], "union")).toEqual([0]);
    expect(mergeRuns([], "union")).toEqual([]);
  });

  it("refuses masks of different sizes", () => {
    expect(() => mergeRuns([[100], [99]], "union")).toThrow(RangeError);
    expect(() =>
      mergeRuns(
        [
          [10, 90],
          [5, 5],
        ],
        "intersection",
      ),
    ).toThrow(RangeError);
  });
});

describe("areaOf and bboxOf", () => {
  it("areaOf and bboxOf count the pixels and box them tightly", () => {
    fc.assert(
      fc.property(ring, side, side, (flat, width, height) => {
        const runs = polygonsToRle([flat], width, height);
        const inside = [...bytesOf(runs, width * height).entries()].filter(([, bit]) => bit).map(([i]) => i);
        expect(areaOf(runs)).toBe(inside.length);
        const xs = inside.map((i) => Math.floor(i / height));
        const ys = inside.map((i) => i % height);
        const left = Math.min(...xs);
        const top = Math.min(...ys);
        expect(bboxOf(runs, height)).toEqual(
          inside.length ? [left, top, Math.max(...xs) - left + 1, Math.max(...ys) - top + 1] : [0, 0, 0, 0],
        );
      }),
    );
  });
});
