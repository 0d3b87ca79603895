import fc from "fast-check";
import peer from "magic-wand-tool";
import { describe, expect, it } from "vitest";
import { borderWeights } from "../../../shared/wand/borderWeights";
import { floodFill } from "../../../shared/wand/floodFill";
import { Mask } from "../../../shared/wand/mask";
import { pixelsOf } from "../../../shared/wand/pixels";
import { smoothBorder } from "../../../shared/wand/smoothBorder";
import { texturedImage } from "../../support/texturedImage";
import { maskOf, rowsOf, wholeBox } from "./masks";

function smoothed(mask: Mask, radius: number): string[] {
  const out = new Mask(mask.width, mask.height);
  smoothBorder(mask, wholeBox(mask), radius, out);
  return rowsOf(out);
}

/** Implements the definition, pixel by pixel. */
function smoothByDefinition(mask: Mask, radius: number): string[] {
  const { middle, slope } = borderWeights(radius);
  const isIn = (x: number, y: number) => x >= 0 && y >= 0 && x < mask.width && y < mask.height && mask.has(x, y);
  return rowsOf(mask).map((row, y) =>
    [...row]
      .map((_, x) => {
        let sum = 0;
        for (let d = 1 - radius; d < radius; d++) {
          const weight = middle + slope * Math.abs(d);
          sum += (isIn(x + d, y) ? weight : 0) + (isIn(x, y + d) ? weight : 0);
        }
        return sum > 0.5 ? "#" : ".";
      })
      .join(""),
  );
}

describe("smoothBorder", () => {
  it("equals the weighted share of row and column, also if blocks are skipped", () => {
    const rectangle = fc.tuple(...[150, 40, 60, 20].map((max) => fc.integer({ min: 0, max })));
    const drawn = fc
      .tuple(fc.array(rectangle, { minLength: 1, maxLength: 6 }), fc.array(fc.tuple(fc.nat(149), fc.nat(39))))
      .map(([rectangles, specks]) => {
        const mask = new Mask(150, 40);
        for (const [left, top, width, height] of rectangles)
          for (let y = top!; y < Math.min(40, top! + height!); y++)
            for (let x = left!; x < Math.min(150, left! + width!); x++) mask.bytes[y * mask.stride + x] = 1;
        for (const [x, y] of specks) mask.bytes[y * mask.stride + x]! ^= 1;
        return mask;
      });
    fc.assert(
      fc.property(drawn, fc.constantFrom(1, 2, 3, 7, 40, 200), (mask, radius) => {
        expect(smoothed(mask, radius)).toEqual(smoothByDefinition(mask, radius));
      }),
      { numRuns: 150 },
    );
  });

  it("changes nothing at radius 1, and no straight border at any radius", () => {
    const rows = ["..........", ".###...#..", ".###..###.", "..#....#..", ".........."];
    expect(smoothed(maskOf(rows), 1)).toEqual(rows);
    const half = Array.from({ length: 30 }, () => "#".repeat(50) + ".".repeat(50));
    for (const radius of [2, 5, 40]) expect(smoothed(maskOf(half), radius)).toEqual(half);
  });

  it("closes cracks and removes slanting hairs", () => {
    const cracked = Array.from({ length: 60 }, () => `${"#".repeat(45)}..${"#".repeat(43)}`);
    expect(smoothed(maskOf(cracked), 10)).toEqual(Array.from({ length: 60 }, () => "#".repeat(90)));
    const above = Array.from({ length: 40 }, (_, y) => ".".repeat(y) + "##".padEnd(90 - y, "."));
    const bald = smoothed(maskOf([...above, ...cracked]), 10);
    expect(bald.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => ".".repeat(90)));
  });

  it("returns false if nothing is left", () => {
    const speck = maskOf(["....", "..#.", "...."]);
    expect(smoothBorder(speck, wholeBox(speck), 1, new Mask(4, 3))).toBe(true);
    expect(smoothBorder(speck, wholeBox(speck), 40, new Mask(4, 3))).toBe(false);
  });

  it("adds to the existing mask, and only within the box", () => {
    const out = maskOf(["#...", "....", "...."]);
    smoothBorder(maskOf(["....", "..#.", "...."]), { left: 2, top: 1, right: 3, bottom: 2 }, 1, out);
    expect(rowsOf(out)).toEqual(["#...", "..#.", "...."]);
  });

  it("matches the mask of magic-wand-tool in 99 of 100 pixels", () => {
    const { data, width, height, start } = texturedImage(900, 600, 0.3);
    for (const radius of [2, 10, 40, 120]) {
      const flooded = peer.floodFill({ data, width, height, bytes: 4 }, start.x, start.y, 30);
      const theirs = peer.gaussBlurOnlyBorder(flooded!, radius).data;
      const [region, ours] = [new Mask(width, height), new Mask(width, height)];
      smoothBorder(region, floodFill(pixelsOf(data, width, height), start.x, start.y, 30, region), radius, ours);
      let [both, either] = [0, 0];
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          const [a, b] = [theirs[y * width + x] === 1, ours.has(x, y)];
          if (a && b) both++;
          if (a || b) either++;
        }
      expect(either).toBeGreaterThan(100_000);
      expect(both / either).toBeGreaterThan(0.995);
    }
  });
});
