import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Rings } from "../../../shared/entities/shape";
import { ringsContain } from "../../../shared/geometry/polygons";
import { nearestOnOutline, signedArea } from "../../../shared/geometry/ring";
import { fairOutline } from "../../../shared/wand/fairOutline";
import { MagicWand } from "../../../shared/wand/magicWand";
import { maskOutline } from "../../../shared/wand/maskOutline";
import type { Pixels } from "../../../shared/wand/pixels";
import { greyImage, maskOf, wholeBox } from "./masks";

const areaOf = (rings: Rings) => rings.flat().reduce((sum, ring) => sum + signedArea(ring), 0);

/** 200 by 100: a dark disc with a light hole at the left, a dark square at the right, on light ground. */
const image: Pixels = greyImage(
  Array.from({ length: 100 }, (_, y) =>
    Array.from({ length: 200 }, (_, x) => {
      const distance = Math.hypot(x + 0.5 - 60, y + 0.5 - 50);
      if (distance < 40 && distance > 12) return 50;
      return x >= 140 && x < 180 && y >= 30 && y < 70 ? 60 : 200;
    }),
  ),
);

describe("the magic wand", () => {
  it("outlines a region with its hole, and a second one as an island of the same gesture", () => {
    const wand = new MagicWand(image);
    const ringed = wand.grow(0, 30, 50, { threshold: 5, blur: 1 })!;
    expect(ringed.map((polygon) => polygon.length)).toEqual([2]);
    expect(areaOf(ringed)).toBeCloseTo(Math.PI * (40 ** 2 - 12 ** 2), -2);
    const both = wand.grow(0, 150, 50, { threshold: 5, blur: 1 })!;
    expect(both.map((polygon) => polygon.length)).toEqual([2, 1]);
    expect(areaOf(both) - areaOf(ringed)).toBe(1600);
    expect(wand.grow(0, 60, 50, { threshold: 5, blur: 1 })!.flat()).toHaveLength(2);
  });

  it("starts over with a new gesture, also after a point outside", () => {
    const wand = new MagicWand(image);
    wand.grow(0, 30, 50, { threshold: 5, blur: 1 });
    expect(areaOf(wand.grow(1, 150, 50, { threshold: 5, blur: 1 })!)).toBe(1600);
    expect(wand.grow(2, -1, 50, { threshold: 5, blur: 1 })).toBeNull();
    expect(areaOf(wand.grow(2, 150, 50, { threshold: 5, blur: 1 })!)).toBe(1600);
  });

  it("returns the same for another pixel of the same region and colour", () => {
    const wand = new MagicWand(image);
    const first = wand.grow(0, 150, 50, { threshold: 5, blur: 10, simplify: 1 });
    expect(wand.grow(0, 170, 65, { threshold: 5, blur: 10, simplify: 1 })).toEqual(first);
    expect(wand.grow(1, 170, 65, { threshold: 5, blur: 10, simplify: 1 })).toEqual(first);
  });

  it("treats a wider threshold on the same point as a new region", () => {
    const wand = new MagicWand(image);
    wand.grow(0, 30, 50, { threshold: 5, blur: 1 });
    expect(areaOf(wand.grow(0, 30, 50, { threshold: 200, blur: 1 })!)).toBe(20_000);
  });

  it("returns null outside the image and handles invalid numbers", () => {
    const wand = new MagicWand(image);
    const outside = [
      [-0.1, 5],
      [5, -0.1],
      [200, 5],
      [5, 100],
      [Number.NaN, 5],
      [5, Number.POSITIVE_INFINITY],
    ] as const;
    for (const [x, y] of outside) expect(wand.grow(0, x, y, { threshold: 5, blur: 1 })).toBeNull();
    for (const threshold of [Number.NaN, -5, 0]) {
      expect(areaOf(wand.grow(threshold, 150, 50, { threshold, blur: Number.NaN })!)).toBe(1600);
    }
    expect(areaOf(wand.grow(9, 150, 50, { threshold: 1e9, blur: 1e9 })!)).toBeGreaterThan(15_000);
    expect(wand.grow(10, 199.9, 99.9, { threshold: 5, blur: 0 })).not.toBeNull();
  });

  it("keeps part of a region that is small for the radius", () => {
    const wand = new MagicWand(image);
    const small = wand.grow(0, 150, 50, { threshold: 5, blur: 300 })!;
    expect(areaOf(small)).toBeGreaterThan(300);
    expect(areaOf(small)).toBeLessThanOrEqual(1600);
  });

  it("handles an image of one pixel", () => {
    const wand = new MagicWand(greyImage([[7]]));
    expect(areaOf(wand.grow(0, 0.5, 0.5, { threshold: 0, blur: 40, simplify: 0 })!)).toBe(1);
    expect(wand.grow(0, 0.5, 0.5, { threshold: 0, blur: 40, simplify: 5 })).toHaveLength(1);
  });
});

describe("maskOutline", () => {
  it("follows the pixel edges, outer rings clockwise, holes the other way", () => {
    const rows = fc.array(fc.stringMatching(/^[#.]{37}$/), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(rows, (drawn) => {
        const mask = maskOf(drawn);
        const outline = maskOutline(mask, wholeBox(mask));
        expect(areaOf(outline)).toBe(mask.bytes.reduce((sum, byte) => sum + byte, 0));
        drawn.forEach((row, y) => {
          for (let x = 0; x < row.length; x++) expect(ringsContain(outline, x + 0.5, y + 0.5)).toBe(row[x] === "#");
        });
        for (const [outer, ...holes] of outline) {
          expect(signedArea(outer!)).toBeGreaterThan(0);
          for (const hole of holes) expect(signedArea(hole)).toBeLessThan(0);
        }
      }),
    );
  });
});

describe("fairOutline", () => {
  it("keeps the corners of a rectangle and smooths the stairs of a slanting border", () => {
    expect(fairOutline([[[10, 10, 50, 10, 50, 30, 10, 30]]], 1)).toEqual([[[10, 30, 10, 10, 50, 10, 50, 30]]]);
    const slanting = maskOf(Array.from({ length: 90 }, (_, y) => "#".repeat(10 + y).padEnd(100, ".")));
    const [[ring]] = fairOutline(maskOutline(slanting, wholeBox(slanting)), 0.5) as [[number[]]];
    expect(ring.length / 2).toBeLessThanOrEqual(6);
    expect(Math.abs(signedArea(ring) - (10 * 90 + (90 * 89) / 2))).toBeLessThan(0.5 * 127 * 0.5);
  });

  it("outlines a disc with few points near the true circle, and with its area", () => {
    const radius = 45;
    const disc = maskOf(
      Array.from({ length: 100 }, (_, y) =>
        Array.from({ length: 100 }, (_, x) => (Math.hypot(x - 49.5, y - 49.5) < radius ? "#" : ".")).join(""),
      ),
    );
    const [[ring]] = fairOutline(maskOutline(disc, wholeBox(disc)), 0.5) as [[number[]]];
    expect(ring.length / 2).toBeLessThan(40);
    for (let angle = 0; angle < 6.28; angle += 0.05) {
      const place = nearestOnOutline(ring, 50 + radius * Math.cos(angle), 50 + radius * Math.sin(angle));
      expect(place!.distance).toBeLessThan(1.3);
    }
    expect(signedArea(ring) / (Math.PI * radius ** 2)).toBeGreaterThan(0.985);
  });

  it("drops specks, but never everything", () => {
    const square = (x: number, y: number, side: number) => [x, y, x + side, y, x + side, y + side, x, y + side];
    const dotted = [[square(0, 0, 40), square(10, 10, 1).reverse()], [square(60, 60, 1)]];
    expect(fairOutline(dotted, 1).map((polygon) => polygon.length)).toEqual([1]);
    expect(fairOutline([[square(60, 60, 1)], [square(70, 70, 2)]], 5)).toHaveLength(1);
    expect(fairOutline([], 5)).toEqual([]);
  });
});
