import type { Ring } from "../entities/shape";
import { crossingRow, enlarge, firstColumn, lastColumn } from "./boundary";
import type { Runs } from "./runs";

/**
 * Counts down the crossings of edges and pixel columns that a shape may have: more would take seconds. Real outlines
 * have fewer by far, and even 5,000 points scattered over 6,000 x 4,000 pixels have a third of these.
 */
export class CrossingBudget {
  private left = 2 ** 25;

  /** Throws a RangeError when the budget is used up. */
  spend(crossings: number): void {
    this.left -= crossings;
    if (this.left < 0) throw new RangeError("The outline crosses the picture too often");
  }
}

/** Crossings held in memory at a time. */
const BAND = 2 ** 21;

/** The edges of one ring that touch the picture, in fifths of a pixel, each with the columns in which it crosses it. */
interface Edges {
  count: number;
  x: Float64Array;
  y: Float64Array;
  first: Int32Array;
  last: Int32Array;
}

/**
 * Runs of one ring, filled by the even-odd rule, exactly as the reference COCO mask code has them (see boundary.ts).
 * Coordinates may lie anywhere; a ring of fewer than three points is empty, and a last odd number is ignored.
 * Time and memory grow with the crossings inside the picture, not with the length of the edges.
 * Throws a RangeError when a coordinate is not a number or the budget is used up.
 */
export function rasterise(ring: Ring, width: number, height: number, budget: CrossingBudget): Runs {
  const toggles = new Toggles(width * height);
  const edges = edgesOf(ring, width);
  let left = width;
  let right = -1;
  for (let i = 0; i < edges.count; i++) {
    if (edges.first[i]! > edges.last[i]!) continue;
    left = Math.min(left, edges.first[i]!);
    right = Math.max(right, edges.last[i]!);
  }
  if (right < 0) return toggles.runs();

  const atTop = trimOutside(edges, left, right, height);
  const load = loadOf(edges, left, right, budget);
  let from = left;
  while (from <= right) {
    let to = from;
    let sum = load[from - left]!;
    while (to < right && sum + load[to + 1 - left]! <= BAND) sum += load[++to - left]!;
    addBand(toggles, edges, load, atTop, left, from, to, height);
    from = to + 1;
  }
  if (atTop[right + 1 - left]) toggles.add((right + 1) * height);
  return toggles.runs();
}

function edgesOf(ring: Ring, width: number): Edges {
  const count = ring.length >> 1;
  const x = new Float64Array(count + 1);
  const y = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) {
    x[i] = enlarge(ring[2 * i]!);
    y[i] = enlarge(ring[2 * i + 1]!);
  }
  x[count] = x[0]!;
  y[count] = y[0]!;
  const first = new Int32Array(count);
  const last = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    first[i] = firstColumn(x[i]!, x[i + 1]!);
    last[i] = lastColumn(x[i]!, x[i + 1]!, width);
  }
  return { count, x, y, first, last };
}

/**
 * Takes from long edges the columns where they run above or below the picture. There they toggle the mask at the top
 * of the column, or of the next one: the answer says for which columns from `left` on that comes out odd.
 */
function trimOutside(edges: Edges, left: number, right: number, height: number): Uint8Array {
  const { count, x, y, first, last } = edges;
  const flips = new Uint8Array(right - left + 3);
  const toggleTops = (from: number, to: number) => {
    if (from > to) return;
    flips[from - left]! ^= 1;
    flips[to + 1 - left]! ^= 1;
  };
  for (let i = 0; i < count; i++) {
    const a = first[i]!;
    const b = last[i]!;
    if (b - a < 16) continue;
    const row = (column: number) => crossingRow(x[i]!, y[i]!, x[i + 1]!, y[i + 1]!, column, height);
    const falling = y[i + 1]! > y[i]! === x[i + 1]! > x[i]!;
    const inside = firstWhere(a, b + 1, falling ? (c) => row(c) > 0 : (c) => row(c) < height);
    const beyond = firstWhere(inside, b + 1, falling ? (c) => row(c) >= height : (c) => row(c) <= 0);
    const below = falling ? 0 : 1;
    toggleTops(a + below, inside - 1 + below);
    toggleTops(beyond + 1 - below, b + 1 - below);
    first[i] = inside;
    last[i] = beyond - 1;
  }
  for (let i = 1; i < flips.length; i++) flips[i]! ^= flips[i - 1]!;
  return flips;
}

/** Smallest number from `from` up to `to` for which the test, once true always true, holds; `to` when none. */
function firstWhere(from: number, to: number, test: (n: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Number of crossings in each column from `left` to `right`. */
function loadOf({ count, first, last }: Edges, left: number, right: number, budget: CrossingBudget): Int32Array {
  const load = new Int32Array(right - left + 2);
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (first[i]! > last[i]!) continue;
    load[first[i]! - left]!++;
    load[last[i]! + 1 - left]!--;
    total += last[i]! - first[i]! + 1;
  }
  budget.spend(total);
  for (let i = 1; i < load.length; i++) load[i]! += load[i - 1]!;
  return load;
}

/** Adds the toggles of the columns `from` to `to`, in order. */
function addBand(
  toggles: Toggles,
  { count, x, y, first, last }: Edges,
  load: Int32Array,
  atTop: Uint8Array,
  left: number,
  from: number,
  to: number,
  height: number,
): void {
  const ends = new Int32Array(to - from + 2);
  for (let c = from; c <= to; c++) ends[c - from + 1] = ends[c - from]! + load[c - left]!;
  const rows = new Uint32Array(ends[to - from + 1]!);
  const cursor = ends.slice(0, to - from + 1);
  for (let i = 0; i < count; i++) {
    const end = Math.min(last[i]!, to);
    for (let c = Math.max(first[i]!, from); c <= end; c++)
      rows[cursor[c - from]!++] = crossingRow(x[i]!, y[i]!, x[i + 1]!, y[i + 1]!, c, height);
  }
  for (let c = from; c <= to; c++) {
    const start = ends[c - from]!;
    const end = ends[c - from + 1]!;
    if (atTop[c - left]) toggles.add(c * height);
    if (end - start > height / 8) {
      addCrowded(toggles, rows, start, end, c * height, height);
      continue;
    }
    sortPart(rows, start, end);
    for (let k = start; k < end; k++) toggles.add(c * height + rows[k]!);
  }
}

/** Adds rows[start .. end) of a column in which there are so many that marking them beats sorting them. */
function addCrowded(
  toggles: Toggles,
  rows: Uint32Array,
  start: number,
  end: number,
  top: number,
  height: number,
): void {
  const odd = new Uint8Array(height + 1);
  for (let k = start; k < end; k++) odd[rows[k]!]! ^= 1;
  for (let row = 0; row <= height; row++) if (odd[row]) toggles.add(top + row);
}

/** Sorts values[start .. end) upward; most parts have two to ten members. */
function sortPart(values: Uint32Array, start: number, end: number): void {
  if (end - start > 32) {
    values.subarray(start, end).sort();
    return;
  }
  for (let i = start + 1; i < end; i++) {
    const value = values[i]!;
    let k = i - 1;
    while (k >= start && values[k]! > value) values[k + 1] = values[k--]!;
    values[k + 1] = value;
  }
}

/** Pixel numbers at which the mask changes, added in rising order; two at the same pixel cancel. */
class Toggles {
  private readonly positions: number[] = [];

  constructor(private readonly pixels: number) {}

  add(position: number): void {
    const { positions } = this;
    if (positions.length > 0 && positions[positions.length - 1] === position) positions.pop();
    else positions.push(position);
  }

  runs(): Runs {
    const runs: Runs = [];
    let previous = 0;
    for (const position of this.positions) {
      if (position >= this.pixels) break;
      runs.push(position - previous);
      previous = position;
    }
    runs.push(this.pixels - previous);
    return runs;
  }
}
