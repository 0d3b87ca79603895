import type { Rings } from "../../entities/shape";
import { combineColumn } from "./combineColumn";
import { MAX_CROSSINGS } from "./edges";
import { RasterRoom } from "./rasterRoom";
import { RowSorter } from "./rowSorter";

/**
 * Receives one column of a mask: the rows at which it alternately begins and ends, ascending, in rows[0 .. count). The
 * array is reused for the next column.
 */
export type TakeColumn = (column: number, rows: Int32Array, count: number) => void;

/**
 * Fills the union of polygons, each without its holes, by the even-odd rule and exactly as the reference COCO mask code
 * does (see boundary.ts). Passes the columns that are not empty to `take`, from left to right.
 *
 * Method: a scan line, with a list of the edges that cross the current column (Wylie et al., "Half-tone perspective
 * drawings by computer", 1967). A ring is closed and so crosses each column an even number of times: columns do not
 * depend on each other, and crossings above and below the image need no special treatment. Time grows with the
 * crossings of edges and columns, memory with the number of points and the longer side of the image.
 *
 * Coordinates may be outside the image; a ring of fewer than three points is empty, and an unpaired last number is
 * ignored. Throws a RangeError if a coordinate is not a number or there are more than MAX_CROSSINGS.
 */
export function rasterise(rings: Rings, width: number, height: number, take: TakeColumn): void {
  const points = pointsOf(rings);
  const room = free && points <= free.points ? free : new RasterRoom(points);
  // `take` may rasterise another shape.
  if (room === free) free = undefined;
  try {
    rasteriseIn(room, rings, width, height, take);
  } finally {
    if (room.points === FEW_POINTS) free = room;
  }
}

const FEW_POINTS = 4_096;
/** Room that no shape uses. */
let free: RasterRoom | undefined = new RasterRoom(FEW_POINTS, 8_192);

function rasteriseIn(room: RasterRoom, rings: Rings, width: number, height: number, take: TakeColumn): void {
  const { edges, active, rows } = room;
  edges.fill(rings, width, height);
  if (edges.count === 0) return;
  if (edges.crossings() > MAX_CROSSINGS) throw new RangeError("The outline crosses the image too often");
  const { order, starts, left, right } = byFirstColumn(room);
  const sorter = new RowSorter(height);
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

function pointsOf(rings: Rings): number {
  let points = 0;
  for (const polygon of rings) for (const ring of polygon) points += ring.length >> 1;
  return points;
}

const ringsIn = (rings: Rings): number => rings.reduce((sum, polygon) => sum + polygon.length, 0);

/**
 * Returns the edges ordered by first column: those of column `left + i` are order[starts[i] .. starts[i + 1]),
 * ascending.
 */
function byFirstColumn(room: RasterRoom) {
  const { count, first, last } = room.edges;
  let left = first[0]!;
  let right = last[0]!;
  for (let i = 1; i < count; i++) {
    if (first[i]! < left) left = first[i]!;
    if (last[i]! > right) right = last[i]!;
  }
  const columns = right - left + 2;
  const { starts, next } = room.columns(columns);
  for (let i = 0; i < count; i++) starts[first[i]! - left + 1]!++;
  for (let c = 1; c < columns; c++) starts[c]! += starts[c - 1]!;
  const { order } = room;
  next.set(starts.subarray(0, columns));
  for (let i = 0; i < count; i++) order[next[first[i]! - left]!++] = i;
  return { order, starts, left, right };
}

/** Drops the edges that end before `column`. Returns the number of remaining edges. */
function keepActive(active: Int32Array, count: number, last: Int32Array, column: number): number {
  let kept = 0;
  for (let k = 0; k < count; k++) {
    const edge = active[k]!;
    if (last[edge]! >= column) active[kept++] = edge;
  }
  return kept;
}

/**
 * Merges order[from .. to) into the active edges, which stay in ascending order and so grouped by ring. Returns the
 * count.
 */
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
