/**
 * Computes where an edge crosses the pixel columns, with the same results as the reference COCO mask code.
 *
 * The reference scales the outline up by five, rounds the corners to whole numbers and walks along each edge in unit
 * steps along its longer axis, rounding the other coordinate. The walk crosses pixel column c where its x goes from 5c
 * + 2 to 5c + 3 (through the middle of the column) or back. The smaller y of these two steps, scaled back to pixels and
 * rounded up, is the row at which the mask changes in that column. This code computes only that step, in the same
 * double arithmetic, so that the cost does not grow with the length of the edge.
 */
export const SCALE = 5;

/** Largest enlarged coordinate: the reference stores them as 32-bit integers. */
const MAX_SCALED = 2 ** 31 - 1;

/**
 * Returns a coordinate in fifths of a pixel, rounded as a C cast does (toward zero, after adding a half). Throws a
 * RangeError for NaN.
 */
export function enlarge(coordinate: number): number {
  if (Number.isNaN(coordinate)) throw new RangeError("A coordinate is not a number");
  return Math.trunc(Math.min(MAX_SCALED, Math.max(-MAX_SCALED, SCALE * coordinate + 0.5)));
}

/** Returns the first column whose middle is in the enlarged x-interval from `x0` to `x1`, if any: see lastColumn. */
export function firstColumn(x0: number, x1: number): number {
  return Math.max(0, Math.ceil((Math.min(x0, x1) - 2) / SCALE));
}

/** Returns the last column crossed in an image of `width` columns; it is below firstColumn if there is none. */
export function lastColumn(x0: number, x1: number, width: number): number {
  return Math.min(width - 1, Math.floor((Math.max(x0, x1) - 3) / SCALE));
}

/**
 * Returns the smaller enlarged y of the two steps at the middle of a column, x = `after` - 1 and x = `after`, for an
 * edge that is taller than wide. The edge begins at its upper end `xs`, `ys`, is `height` steps high, and moves `slope`
 * to the right with each step.
 */
export function steepCrossing(xs: number, ys: number, slope: number, height: number, after: number): number {
  let t = Math.min(height, Math.max(1, Math.ceil((after - 0.5 - xs) / slope)));
  while (t > 1 && isAcross(xs, slope, after, t - 1)) t--;
  while (t < height && !isAcross(xs, slope, after, t)) t++;
  return ys + t - 1;
}

/** Returns true if the walk, at step `t`, has passed from one of `after` - 1 and `after` to the other. */
function isAcross(xs: number, slope: number, after: number, t: number): boolean {
  return xs + slope * t + 0.5 >= after === slope > 0;
}
