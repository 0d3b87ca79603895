import fc from "fast-check";
import { expect, it } from "vitest";
import { polygonsToRle, ringsToRle } from "../../../shared/coco/mask";
import type { Ring, Rings } from "../../../shared/entities/shape";
import { joinRings } from "../../../shared/formats/joinRings";
import { boxLine, outlineLine } from "../../../shared/formats/yolo";
import { readYoloLine } from "../../../shared/formats/yoloLine";

const SIDES = { width: 640, height: 480 };
const box = (x: number, y: number, w: number, h: number): Ring => [x, y, x + w, y, x + w, y + h, x, y + h];

/** Returns the mask of an outline that was written and read back. */
function readBackMask(rings: Rings) {
  const line = outlineLine(3, { shape: { rings }, bbox: [0, 0, 0, 0], isbbox: false }, SIDES) ?? "";
  const { classNumber, outline = [] } = readYoloLine(line, undefined);
  expect(classNumber).toBe(3);
  const pixels = outline.map(
    (share, i) => Math.round(share * (i % 2 === 0 ? SIDES.width : SIDES.height) * 1000) / 1000,
  );
  return polygonsToRle([pixels], SIDES.width, SIDES.height);
}

it("a box is written as its centre, width and height, cut off at the image's edges", () => {
  expect(boxLine(2, [64, 48, 320, 240], SIDES)).toBe("2 0.35 0.35 0.5 0.5");
  expect(boxLine(0, [-10, -10, 20, 20], SIDES)).toBe("0 0.0078125 0.01041667 0.015625 0.02083333");
  expect(boxLine(0, [640, 0, 10, 10], SIDES)).toBeUndefined();
  expect(boxLine(0, [5, 5, 0, 10], SIDES)).toBeUndefined();
});

it("one outline is written point by point", () => {
  const line = outlineLine(1, { shape: [[64, 48, 320, 48, 320, 240]], bbox: [0, 0, 0, 0], isbbox: false }, SIDES);
  expect(line).toBe("1 0.1 0.1 0.5 0.1 0.5 0.5");
});

it("a box without an outline has its four corners, and keypoints alone have no outline", () => {
  const bbox = [64, 48, 256, 192] as [number, number, number, number];
  expect(outlineLine(0, { shape: null, bbox, isbbox: true }, SIDES)).toBe("0 0.1 0.1 0.5 0.1 0.5 0.5 0.1 0.5");
  expect(outlineLine(0, { shape: null, bbox, isbbox: false }, SIDES)).toBeUndefined();
  expect(outlineLine(0, { shape: [[1, 1, 2, 2]], bbox, isbbox: false }, SIDES)).toBeUndefined();
});

it.each<[string, Rings]>([
  ["two pieces", [[box(10, 10, 50, 50)], [box(200, 100, 80, 30)]]],
  ["five pieces", [0, 1, 2, 3, 4].map((i) => [box(10 + 100 * i, 400 - 90 * i, 37, 41)])],
  ["a hole", [[box(10, 10, 200, 200), box(50, 50, 30, 30)]]],
  [
    "three holes and a piece in one of them",
    [[box(10, 10, 300, 300), box(20, 20, 90, 90), box(150, 30, 40, 40), box(30, 200, 20, 20)], [box(50, 50, 10, 10)]],
  ],
  ["pieces that overlap", [[box(10, 10, 100, 100)], [box(60, 60, 100, 100)]]],
  ["a piece partly outside", [[box(-50, 400, 100, 200)], [box(600, -20, 100, 60)]]],
])("%s: the line fills the same pixels", (_, rings) => {
  expect(readBackMask(rings)).toEqual(ringsToRle(rings, SIDES.width, SIDES.height));
});

it("a crowd's RLE is written along its pixel edges", () => {
  const runs = ringsToRle(
    [[box(10, 10, 100, 100), box(30, 30, 5, 5)], [box(300, 300, 3, 3)]],
    SIDES.width,
    SIDES.height,
  );
  const shape = { size: [SIDES.height, SIDES.width] as [number, number], counts: runs };
  const line = outlineLine(0, { shape, bbox: [0, 0, 0, 0], isbbox: false }, SIDES) ?? "";
  const outline = readYoloLine(line, undefined).outline ?? [];
  const pixels = outline.map((share, i) => Math.round(share * (i % 2 === 0 ? SIDES.width : SIDES.height)));
  expect(polygonsToRle([pixels], SIDES.width, SIDES.height)).toEqual(runs);
});

it("joined rings fill the same area by the even-odd rule, wherever they lie", () => {
  const triangle = fc
    .array(fc.integer({ min: 0, max: 99 }), { minLength: 6, maxLength: 12 })
    .map((list) => list.slice(0, list.length & ~1));
  fc.assert(
    fc.property(fc.array(triangle, { minLength: 1, maxLength: 6 }), (rings) => {
      const joined = polygonsToRle([joinRings(rings)], 100, 100);
      expect(inside(joined)).toEqual(
        rings.map((ring) => inside(polygonsToRle([ring], 100, 100))).reduce(symmetricDifference),
      );
    }),
    { numRuns: 100 },
  );
});

const inside = (runs: readonly number[]): Set<number> => {
  const pixels = new Set<number>();
  let at = 0;
  for (const [i, length] of runs.entries()) {
    for (let p = at; i % 2 === 1 && p < at + length; p++) pixels.add(p);
    at += length;
  }
  return pixels;
};
const symmetricDifference = (a: Set<number>, b: Set<number>): Set<number> =>
  new Set(
    [...a]
      .filter((p) => !b.has(p))
      .concat([...b].filter((p) => !a.has(p)))
      .sort((x, y) => x - y),
  );
