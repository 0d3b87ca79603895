import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ringsToRle } from "../../../shared/coco/mask";
import { traceRuns } from "../../../shared/coco/trace";
import { runsOfBytes } from "./boundaryWalk";

/** Returns a mask drawn as rows of text, # inside. */
function drawn(...rows: string[]): { runs: number[]; width: number; height: number } {
  const width = rows[0]!.length;
  const height = rows.length;
  const bytes = new Uint8Array(width * height);
  for (let x = 0; x < width; x++) for (let y = 0; y < height; y++) bytes[x * height + y] = Number(rows[y]![x] === "#");
  return { runs: runsOfBytes(bytes), width, height };
}

const mask = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 9 }))
  .chain(([width, height, dense]) =>
    fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: width * height, maxLength: width * height })
      .map((bits) => ({ width, height, runs: runsOfBytes(Uint8Array.from(bits, (bit) => Number(bit < dense))) })),
  );

describe("traceRuns", () => {
  it("returns outlines that rasterise to the same mask", () => {
    fc.assert(
      fc.property(mask, ({ runs, width, height }) => {
        expect(ringsToRle(traceRuns(runs, width, height), width, height)).toEqual(runs);
      }),
      { numRuns: 2000 },
    );
  });

  it("returns corners only, with a turn at each", () => {
    fc.assert(
      fc.property(mask, ({ runs, width, height }) => {
        for (const ring of traceRuns(runs, width, height).flat()) {
          const n = ring.length;
          expect(n).toBeGreaterThanOrEqual(8);
          for (let i = 0; i < n; i += 2) {
            const [x0, y0, x1, y1, x2, y2] = [0, 1, 2, 3, 4, 5].map((k) => ring[(i + k) % n]!);
            const flatThenSteep = y0 === y1 && x0 !== x1 && x1 === x2 && y1 !== y2;
            const steepThenFlat = x0 === x1 && y0 !== y1 && y1 === y2 && x1 !== x2;
            expect(flatThenSteep || steepThenFlat).toBe(true);
          }
        }
      }),
    );
  });

  it("outlines a rectangle by its four corners, clockwise", () => {
    const { runs, width, height } = drawn(".....", ".###.", ".###.", ".....");
    expect(traceRuns(runs, width, height)).toEqual([[[1, 1, 4, 1, 4, 3, 1, 3]]]);
  });

  it("returns holes with their polygon and islands in holes as separate polygons", () => {
    const { runs, width, height } = drawn("#######", "#.....#", "#.###.#", "#.#.#.#", "#.###.#", "#.....#", "#######");
    expect(traceRuns(runs, width, height)).toEqual([
      [
        [0, 0, 7, 0, 7, 7, 0, 7],
        [1, 1, 1, 6, 6, 6, 6, 1],
      ],
      [
        [2, 2, 5, 2, 5, 5, 2, 5],
        [3, 3, 3, 4, 4, 4, 4, 3],
      ],
    ]);
  });

  it("returns a hole below another hole with the same polygon", () => {
    const { runs, width, height } = drawn("####", "#.##", "####", "#..#", "####");
    const rings = traceRuns(runs, width, height);
    expect(rings.map((polygon) => polygon.length)).toEqual([3]);
  });

  it("separates pixels that touch at a corner", () => {
    const { runs, width, height } = drawn("#.", ".#");
    expect(traceRuns(runs, width, height)).toEqual([[[0, 0, 1, 0, 1, 1, 0, 1]], [[1, 1, 2, 1, 2, 2, 1, 2]]]);
  });

  it("handles empty and full masks, and empty runs", () => {
    expect(traceRuns([12], 4, 3)).toEqual([]);
    expect(traceRuns([0, 12], 4, 3)).toEqual([[[0, 0, 4, 0, 4, 3, 0, 3]]]);
    expect(traceRuns([0, 0, 0, 5, 0, 7, 0], 4, 3)).toEqual([[[0, 0, 4, 0, 4, 3, 0, 3]]]);
    expect(traceRuns([4, 1, 0, 1, 6], 4, 3)).toEqual([[[1, 1, 2, 1, 2, 3, 1, 3]]]);
  });

  it("refuses runs that are too short or too long", () => {
    expect(() => traceRuns([5, 3], 4, 3)).toThrow(RangeError);
    expect(() => traceRuns([5, 8], 4, 3)).toThrow(RangeError);
    expect(() => traceRuns([], 4, 3)).toThrow(RangeError);
  });
});
