import type { Rings } from "../entities/shape";
import { combineColumn } from "./combineColumn";
import { Edges, MAX_CROSSINGS } from "./edges";
import { RowSorter } from "./rowSorter";

/**
 * Takes one column of a mask: the rows at which it begins and ends in turn, rising, in rows[0 .. count). The array is
 * used again for the next column.
 */
export type TakeColumn = (column: number, rows: Int32Array, count: number) => void;

/**
 * Fills polygons, each its outer ring less its holes and all united, by the even-odd rule and exactly as the reference
 * COCO mask code does (see boundary.ts), and hands over the columns that are not empty from left to right.
 *
 * A scan line: edges enter and leave a list of those that cross the present column (Wylie et al., "Half-tone perspective
 * drawings by computer", 1967). A ring is closed, so that it crosses each column an even number of times: columns do not
 * depend on each other, and a toggle below the image needs none above. Time grows with the crossings of edges and
 * columns, memory with the number of points and the longer side of the image.
 *
 * Coordinates may lie anywhere; a ring of fewer than three points is empty, and a last odd number is ignored.
 * Throws a RangeError when a coordinate is not a number or there are more than MAX_CROSSINGS.
 */
export function rasterise(rings: Rings, width: number, height: number, take: TakeColumn): void {
  const edges = new Edges(rings, width, height);
  if (edges.count === 0) return;
  if (edges.crossings() > MAX_CROSSINGS) throw new RangeError("The outline crosses the image too often");
  const { order, starts, left, right } = byFirstColumn(edges);
  const sorter = new RowSorter(height);
  const active = new Int32Array(edges.count);
  const rows = new Int32Array(edges.count);
  const combine = ringsIn(rings) > 1 ? combineColumn(rings, edges, sorter) : undefined;
  let count = 0;
  for (let column = left; column <= right; column++) {
    count = keepActive(active, count, edges.last, column);
    count = addStarting(active, count, order, starts[column - left]!, starts[column - left + 1]!);
    if (count === 0) continue;
    edges.writeRows(active, count, column, rows);
    const toggles = combine ? combine(active, rows, count) : sorter.sortClosed(rows, 0, count);
    if (toggles > 0) take(column, rows, toggles);
  }
}

const ringsIn = (rings: Rings): number => rings.reduce((sum, polygon) => sum + polygon.length, 0);

/** Edges in the order in which they begin; those of column `left + i` from starts[i] to starts[i + 1], rising. */
function byFirstColumn({ count, first, last }: Edges) {
  let left = first[0]!;
  let right = last[0]!;
  for (let i = 1; i < count; i++) {
    if (first[i]! < left) left = first[i]!;
    if (last[i]! > right) right = last[i]!;
  }
  const starts = new Int32Array(right - left + 2);
  for (let i = 0; i < count; i++) starts[first[i]! - left + 1]!++;
  for (let c = 1; c < starts.length; c++) starts[c]! += starts[c - 1]!;
  const order = new Int32Array(count);
  const next = starts.slice();
  for (let i = 0; i < count; i++) order[next[first[i]! - left]!++] = i;
  return { order, starts, left, right };
}

/** Drops the edges that end before `column`. Returns how many stay. */
function keepActive(active: Int32Array, count: number, last: Int32Array, column: number): number {
  let kept = 0;
  for (let k = 0; k < count; k++) {
    const edge = active[k]!;
    if (last[edge]! >= column) active[kept++] = edge;
  }
  return kept;
}

/** Adds order[from .. to), so that the edges stay in the order of their numbers, ring after ring. Returns their number. */
function addStarting(active: Int32Array, count: number, order: Int32Array, from: number, to: number): number {
  let k = count - 1;
  let at = count + to - from;
  for (let i = to - 1; i >= from; i--) {
    const edge = order[i]!;
    while (k >= 0 && active[k]! > edge) active[--at] = active[k--]!;
    active[--at] = edge;
  }
  return count + to - from;
}
