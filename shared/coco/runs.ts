import type { Bbox } from "../entities/shape";

/**
 * A binary mask as run lengths: numbers of pixels outside, inside, outside, … column by column from the top left, as in
 * COCO. The lengths sum to width x height. In runs made here, only the first may be empty.
 */
export type Runs = number[];

type MaskOperation = "union" | "intersection" | "difference";

/** Bits 0, 1, 2, 3: whether the result has pixels that are in neither mask, only in a, only in b, in both. */
const TRUTH: Record<MaskOperation, number> = { union: 0b1110, intersection: 0b1000, difference: 0b0010 };

/** Returns the number of pixels in the mask. */
export function areaOf(runs: Runs): number {
  let area = 0;
  for (let i = 1; i < runs.length; i += 2) area += runs[i]!;
  return area;
}

/** Returns the tight box [x, y, width, height] of a mask `height` pixels high; zeros if the mask is empty. */
export function bboxOf(runs: Runs, height: number): Bbox {
  let left = Number.POSITIVE_INFINITY;
  let right = -1;
  let top = height;
  let bottom = -1;
  let start = 0;
  for (let i = 0; i < runs.length; i++) {
    const length = runs[i]!;
    if (i % 2 === 1 && length > 0) {
      const last = start + length - 1;
      const firstColumn = Math.floor(start / height);
      const lastColumn = Math.floor(last / height);
      const crosses = firstColumn !== lastColumn;
      left = Math.min(left, firstColumn);
      right = lastColumn;
      top = Math.min(top, crosses ? 0 : start % height);
      bottom = Math.max(bottom, crosses ? height - 1 : last % height);
    }
    start += length;
  }
  return right < 0 ? [0, 0, 0, 0] : [left, top, right - left + 1, bottom - top + 1];
}

/**
 * Returns true if two masks are equal. Both must be runs made here: other runs may differ although the masks are equal.
 */
export function sameRuns(a: Runs, b: Runs): boolean {
  return a.length === b.length && a.every((length, i) => length === b[i]);
}

/**
 * Merges masks of the same size: union, intersection, or the first minus all others. An empty list gives no runs.
 * Throws a RangeError if the masks have different numbers of pixels.
 */
export function mergeRuns(list: readonly Runs[], operation: MaskOperation): Runs {
  return mergeMade(list.length, (i) => list[i]!, operation);
}

/**
 * Merges `count` masks like mergeRuns, but makes each mask only when it is needed, so that few masks are in memory at a
 * time.
 */
export function mergeMade(count: number, make: (index: number) => Runs, operation: MaskOperation): Runs {
  if (count === 0) return [];
  if (operation !== "difference" || count === 1) return mergeHalves(0, count, make, TRUTH[operation]);
  const first = make(0);
  return combine(first, mergeHalves(1, count, make, TRUTH.union), TRUTH.difference);
}

/** Merges masks in halves: n log n for thousands of masks, where one after another would be quadratic. */
function mergeHalves(from: number, to: number, make: (index: number) => Runs, truth: number): Runs {
  if (to - from === 1) return make(from);
  const middle = (from + to) >> 1;
  return combine(mergeHalves(from, middle, make, truth), mergeHalves(middle, to, make, truth), truth);
}

function combine(a: Runs, b: Runs, truth: number): Runs {
  const out: Runs = [];
  let i = 0;
  let j = 0;
  let restA = a[0] ?? 0;
  let restB = b[0] ?? 0;
  let length = 0;
  let inside = 0;
  for (;;) {
    while (restA === 0 && i + 1 < a.length) restA = a[++i]!;
    while (restB === 0 && j + 1 < b.length) restB = b[++j]!;
    const step = Math.min(restA, restB);
    if (step === 0) break;
    const next = (truth >> ((i & 1) | ((j & 1) << 1))) & 1;
    if (next !== inside) {
      out.push(length);
      length = 0;
      inside = next;
    }
    length += step;
    restA -= step;
    restB -= step;
  }
  if (restA !== restB) throw new RangeError("Masks of different sizes");
  out.push(length);
  return out;
}
