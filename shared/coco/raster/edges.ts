import type { Ring, Rings } from "../../entities/shape";
import { enlarge, firstColumn, lastColumn, SCALE, steepCrossing } from "./boundary";

/**
 * Largest number of crossings of edges and pixel columns in one shape; so many take about a second. Real outlines have
 * far fewer: even 5,000 points scattered over 6,000 x 4,000 pixels cause only a third as many.
 */
export const MAX_CROSSINGS = 2 ** 25;

/**
 * The edges of a shape's rings that cross columns of the image, in flat arrays. Coordinates in fifths of a pixel. Can
 * be filled again with another shape.
 */
export class Edges {
  count = 0;
  /** Index of each edge's ring, counted through all polygons. */
  readonly ring: Int32Array;
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** Start of each edge: the left end if the edge is at least as wide as high, otherwise the upper end. */
  private readonly xs: Float64Array;
  private readonly ys: Float64Array;
  /** Change of y per step to the right or, for an edge taller than wide, change of x per step down. */
  private readonly slope: Float64Array;
  /** Height in steps of an edge that is taller than wide; 0 for others. */
  private readonly steep: Float64Array;
  private width = 0;
  private height = 0;

  /** `points`: largest number of points of a shape. */
  constructor(points: number) {
    this.ring = new Int32Array(points);
    this.first = new Int32Array(points);
    this.last = new Int32Array(points);
    this.xs = new Float64Array(points);
    this.ys = new Float64Array(points);
    this.slope = new Float64Array(points);
    this.steep = new Float64Array(points);
  }

  /** Replaces the edges by those of a shape. */
  fill(rings: Rings, width: number, height: number): void {
    this.count = 0;
    this.width = width;
    this.height = height;
    let number = 0;
    for (const polygon of rings) for (const ring of polygon) this.addRing(ring, number++);
  }

  private addRing(ring: Ring, number: number): void {
    const points = ring.length >> 1;
    if (points === 0) return;
    let x0 = enlarge(ring[2 * points - 2]!);
    let y0 = enlarge(ring[2 * points - 1]!);
    for (let i = 0; i < points; i++) {
      const x1 = enlarge(ring[2 * i]!);
      const y1 = enlarge(ring[2 * i + 1]!);
      this.add(number, x0, y0, x1, y1);
      x0 = x1;
      y0 = y1;
    }
  }

  private add(ring: number, x0: number, y0: number, x1: number, y1: number): void {
    const first = firstColumn(x0, x1);
    const last = lastColumn(x0, x1, this.width);
    if (first > last) return;
    const i = this.count++;
    this.ring[i] = ring;
    this.first[i] = first;
    this.last[i] = last;
    const dx = Math.abs(x1 - x0);
    const dy = Math.abs(y1 - y0);
    const isForward = dx >= dy ? x0 <= x1 : y0 <= y1;
    this.xs[i] = isForward ? x0 : x1;
    this.ys[i] = isForward ? y0 : y1;
    const sign = isForward ? 1 : -1;
    this.slope[i] = dx >= dy ? (sign * (y1 - y0)) / dx : (sign * (x1 - x0)) / dy;
    this.steep[i] = dx >= dy ? 0 : dy;
  }

  /** Returns the number of crossings of all edges with columns. */
  crossings(): number {
    let sum = 0;
    for (let i = 0; i < this.count; i++) sum += this.last[i]! - this.first[i]! + 1;
    return sum;
  }

  /**
   * Writes the rows (0 to the image's height) at which each of the edges active[0 .. count), which all cross `column`,
   * toggles the mask there. For an edge at least as wide as high, the row is the smaller y of two steps (see
   * boundary.ts).
   */
  writeRows(active: Int32Array, count: number, column: number, rows: Int32Array): void {
    const { xs, ys, slope, steep, height } = this;
    const before = SCALE * column + 2;
    const beyond = SCALE * height - 2;
    for (let k = 0; k < count; k++) {
      const i = active[k]!;
      const rise = slope[i]!;
      const y =
        steep[i] === 0
          ? ys[i]! + rise * (before + (rise < 0 ? 1 : 0) - xs[i]!) + 0.5
          : steepCrossing(xs[i]!, ys[i]!, rise, steep[i]!, before + 1);
      rows[k] = y < 3 ? 0 : y >= beyond ? height : (((y | 0) + 2) / SCALE) | 0;
    }
  }
}

/**
 * Returns the number of crossings of edges and columns in an image of `width` columns. Counting takes a few nanoseconds
 * per point; measuring the polygons takes about 10 to 40 ns per crossing. Throws a RangeError for NaN.
 */
export function countCrossings(rings: Rings, width: number): number {
  let sum = 0;
  for (const polygon of rings) {
    for (const ring of polygon) {
      const points = ring.length >> 1;
      if (points === 0) continue;
      let x0 = enlarge(ring[2 * points - 2]!);
      for (let i = 0; i < points; i++) {
        const x1 = enlarge(ring[2 * i]!);
        sum += Math.max(0, lastColumn(x0, x1, width) - firstColumn(x0, x1) + 1);
        x0 = x1;
      }
    }
  }
  return sum;
}
