import { expect, test } from "vitest";
import { runsOf } from "../../../shared/coco/rle";
import { type Turn, turnRle, turnShape, turnSize } from "../../../shared/coco/turn";
import { seededRandom } from "../../support/seededRandom";

const TURNS: Turn[] = [2, 3, 4, 5, 6, 7, 8];
const SIDES = { width: 7, height: 5 };

/** Returns the pixels of a mask, column by column. */
const pixelsOf = (runs: readonly number[]): number[] =>
  runs.flatMap((length, i) => Array.from({ length }, () => i % 2));

test.each(TURNS)("orientation %i turns a mask like the centres of its pixels", (turn) => {
  const next = seededRandom(turn);
  const pixels = Array.from({ length: SIDES.width * SIDES.height }, () => (next() < 0.4 ? 1 : 0));
  const counts: number[] = [];
  let value = 0;
  for (const pixel of pixels) {
    if (counts.length === 0) counts.push(0);
    if (pixel !== value) counts.push(0);
    value = pixel;
    counts[counts.length - 1]! += 1;
  }
  const rle = { size: [SIDES.height, SIDES.width] as [number, number], counts };
  const turned = turnRle(turn, rle, SIDES);
  const shown = turnSize(turn, SIDES);
  expect(turned.size).toEqual([shown.height, shown.width]);
  const after = pixelsOf(runsOf(turned));
  pixels.forEach((pixel, p) => {
    const middle = [Math.floor(p / SIDES.height) + 0.5, (p % SIDES.height) + 0.5];
    const [[x = 0, y = 0] = []] = turnShape(turn, [middle], SIDES) as number[][];
    expect(after[Math.floor(x) * shown.height + Math.floor(y)]).toBe(pixel);
  });
});
