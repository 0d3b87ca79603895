import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { floodFill } from "../../../shared/wand/floodFill";
import { Mask } from "../../../shared/wand/mask";
import type { Pixels } from "../../../shared/wand/pixels";
import { greyImage, rowsOf } from "./masks";

const channels = (color: number) => [color & 255, (color >>> 8) & 255, (color >>> 16) & 255];

/** Implements the definition, pixel by pixel. */
function fillByDefinition({ width, height, colors }: Pixels, x: number, y: number, threshold: number): string[] {
  const start = channels(colors[y * width + x]!);
  const found = new Set([y * width + x]);
  for (const at of found) {
    const neighbours = [at - width, at + width, ...(at % width > 0 ? [at - 1] : [])];
    if (at % width < width - 1) neighbours.push(at + 1);
    for (const next of neighbours) {
      if (next < 0 || next >= width * height) continue;
      if (channels(colors[next]!).every((value, i) => Math.abs(value - start[i]!) <= threshold)) found.add(next);
    }
  }
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, column) => (found.has(row * width + column) ? "#" : ".")).join(""),
  );
}

function fill(pixels: Pixels, x: number, y: number, threshold: number) {
  const mask = new Mask(pixels.width, pixels.height);
  return { box: floodFill(pixels, x, y, threshold, mask), rows: rowsOf(mask) };
}

describe("floodFill", () => {
  it("finds pixels connected by sides and similar in each channel, in any image", () => {
    const color = fc.constantFrom(0xff000000, 0x00ffffff, 0x80102030, 0x10112233, 0x00102a30, 0xfff0e0d0, 0x01000100);
    const image = fc
      .tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 12 }))
      .chain(([width, height]) =>
        fc
          .array(color, { minLength: width * height, maxLength: width * height })
          .map((colors): Pixels => ({ width, height, colors: Uint32Array.from(colors) })),
      );
    const place = fc.double({ min: 0, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(image, place, place, fc.constantFrom(0, 1, 3, 16, 128, 255), (pixels, u, v, threshold) => {
        const [x, y] = [Math.floor(u * pixels.width), Math.floor(v * pixels.height)];
        const { box, rows } = fill(pixels, x, y, threshold);
        expect(rows).toEqual(fillByDefinition(pixels, x, y, threshold));
        const columns = rows.flatMap((row) => [...row].flatMap((character, at) => (character === "#" ? [at] : [])));
        const filled = rows.flatMap((row, at) => (row.includes("#") ? [at] : []));
        expect(box).toEqual({
          left: Math.min(...columns),
          right: Math.max(...columns) + 1,
          top: filled[0],
          bottom: filled.at(-1)! + 1,
        });
      }),
      { numRuns: 300 },
    );
  });

  it("follows corners, spirals and islands", () => {
    const rows = [
      "#######..",
      "......#..",
      "#####.#..",
      "#...#.#..",
      "#.#.#.#..",
      "#.###.#..",
      "#.....#..",
      "#######..",
    ];
    const pixels = greyImage(rows.map((row) => [...row].map((character) => (character === "#" ? 10 : 200))));
    expect(fill(pixels, 0, 0, 20).rows).toEqual(rows);
  });

  it("ignores alpha, and compares with the start pixel, not from pixel to pixel", () => {
    const pixels: Pixels = { width: 3, height: 1, colors: Uint32Array.of(0xff101010, 0x00101010, 0xff101010) };
    expect(fill(pixels, 0, 0, 0).rows).toEqual(["###"]);
    expect(fill(greyImage([[10, 20, 30, 40]]), 0, 0, 10).rows).toEqual(["##.."]);
    expect(fill(greyImage([[10, 20, 30, 40]]), 2, 0, 10).rows).toEqual([".###"]);
  });

  it("fills an image of one colour to all its edges", () => {
    const pixels: Pixels = { width: 1000, height: 700, colors: new Uint32Array(700_000) };
    const mask = new Mask(1000, 700);
    expect(floodFill(pixels, 999, 699, 0, mask)).toEqual({ left: 0, top: 0, right: 1000, bottom: 700 });
    expect(mask.bytes.reduce((sum, byte) => sum + byte, 0)).toBe(700_000);
  });
});
