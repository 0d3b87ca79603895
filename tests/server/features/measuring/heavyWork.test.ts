import { describe, expect, test } from "vitest";
import { measured, NeedsMeasuring, withMeasuring } from "../../../../server/features/measuring/measuring";
import { nested, wantedNesting } from "../../../../server/features/measuring/nesting";
import { outlineOf } from "../../../../server/features/measuring/outlineOf";
import { traced, traceTogether } from "../../../../server/features/measuring/tracing";
import { turnMask } from "../../../../server/features/measuring/turnMask";
import { isReturned, wantedComparisons } from "../../../../server/features/olderClients/comparing";
import { compress } from "../../../../shared/coco/rle";
import { turnRle } from "../../../../shared/coco/turn";
import { nest } from "../../../../shared/geometry/polygons";
import { seededRandom } from "../../../support/seededRandom";

const { signal } = new AbortController();
const [WIDTH, HEIGHT] = [3000, 3000];

/** Returns a mask of many short runs, which differ for each `seed`. */
function mask(runs: number, seed: number) {
  const next = seededRandom(seed);
  const lengths = Array.from({ length: runs }, () => 1 + Math.floor(next() * 9));
  const rest = WIDTH * HEIGHT - lengths.reduce((sum, length) => sum + length, 0);
  return { size: [HEIGHT, WIDTH] as [number, number], counts: compress([...lengths, rest]) };
}

/** Counts the turns of other work while `work` ran. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const ticking = setInterval(() => turns++, 1);
  await work();
  clearInterval(ticking);
  return turns;
}

describe("heavy work on shapes", () => {
  test("a long mask is traced by a thread, a short one directly", async () => {
    const long = mask(30_000, 1);
    expect(() => traced(long)).toThrow(NeedsMeasuring);
    expect(await withMeasuring("ada", () => traced(long))).toEqual(outlineOf(long));
    expect(traced(structuredClone(long))).toEqual(outlineOf(long));
    const short = mask(500, 2);
    expect(traced(short)).toEqual(outlineOf(short));
  });

  test("a mask with more corners than any annotation has no outline", async () => {
    const board = mask(400_000, 3);
    expect(await withMeasuring("ada", () => traced(board))).toBeNull();
  });

  test("masks that are long in total are traced in one call", async () => {
    const masks = Array.from({ length: 12 }, (_, i) => mask(1_000, 10 + i));
    let tries = 0;
    const outlines = await withMeasuring("ada", () => {
      tries++;
      traceTogether(masks);
      return masks.map(traced);
    });
    expect(tries).toBe(2);
    expect(outlines).toEqual(masks.map(outlineOf));
  });

  test("a large mask is rotated by a thread without blocking other work", async () => {
    const rle = mask(50_000, 4);
    const size = { width: WIDTH, height: HEIGHT };
    expect(await turnsDuring(() => turnMask("ada", { turn: 6, rle, size }, signal))).toBeGreaterThan(5);
    expect(await turnMask("ada", { turn: 6, rle, size }, signal)).toEqual(turnRle(6, rle, size));
  });

  test("outlines that are slow to compare are compared by a thread, each once", async () => {
    const comb = Array.from({ length: 3_000 }, (_, i) => [i / 8, (i % 2) * (100 + i / 40)]).flat();
    const size = { width: 640, height: 480 };
    const moved = { paths: [comb.map((value) => value + 3)], sent: [[comb]], size };
    const same = { paths: [comb.map((value) => Math.round(value * 100) / 100)], sent: [[comb]], size };
    expect(() => isReturned(moved)).toThrow(NeedsMeasuring);
    const wanted = wantedComparisons([moved, same, same]);
    expect(wanted).toHaveLength(2);
    const found = await withMeasuring("ada", () => {
      const missing = wantedComparisons([moved, same]);
      if (missing.length > 0) throw new NeedsMeasuring(missing);
      return [moved, same].map(isReturned);
    });
    expect(found).toEqual([false, true]);
    expect(wantedComparisons([moved, same])).toEqual([]);
  });

  test("many separate rings are nested into polygons by a thread, few directly", async () => {
    const square = (x: number, y: number, side: number) => [x, y, x + side, y, x + side, y + side, x, y + side];
    const rings = Array.from({ length: 400 }, (_, i) => {
      const [x, y] = [(i % 20) * 30, Math.floor(i / 20) * 20];
      return i % 3 === 2 ? square(x - 29, y + 1, 4) : square(x, y, 12);
    });
    expect(wantedNesting([rings])).toHaveLength(1);
    expect(() => nested(rings)).toThrow(NeedsMeasuring);
    expect(await withMeasuring("ada", () => nested(rings))).toEqual(nest(rings));
    expect(nested(rings.slice(0, 30))).toEqual(nest(rings.slice(0, 30)));
  });

  test("work beyond a request's budget is refused with 413", async () => {
    const masks = Array.from({ length: 4 }, (_, i) => mask(1_400_000, 20 + i));
    const traceAll = () => {
      traceTogether(masks);
      return measured({ rle: masks[0]! });
    };
    await expect(withMeasuring("ada", traceAll)).rejects.toMatchObject({ status: 413, code: "too_much_to_measure" });
  });
});
