/**
 * Where an edge crosses the pixel columns, as the reference COCO mask code has it.
 *
 * The reference enlarges the outline five times, rounds the corners to whole numbers and walks each edge in unit steps
 * along its longer side, rounding the other coordinate. The walk enters pixel column c where its x goes from 5c + 2 to
 * 5c + 3 (through the middle of the column) or back; the smaller y of these two steps, brought back to pixels and
 * rounded up, is the row at which the mask changes in that column. Here those two steps are computed alone, in the
 * same double arithmetic, so that the cost does not grow with the length of the edge.
 */
const SCALE = 5;

/** Largest enlarged coordinate: the reference keeps them in 32-bit integers. */
const MAX_SCALED = 2 ** 31 - 1;

/** A coordinate in fifths of a pixel, rounded as a C cast does (toward zero, after adding a half). */
export function enlarge(coordinate: number): number {
  if (Number.isNaN(coordinate)) throw new RangeError("A coordinate is not a number");
  return Math.trunc(Math.min(MAX_SCALED, Math.max(-MAX_SCALED, SCALE * coordinate + 0.5)));
}

/** First column whose middle the enlarged x-interval from `x0` to `x1` crosses, if any: see lastColumn. */
export function firstColumn(x0: number, x1: number): number {
  return Math.max(0, Math.ceil((Math.min(x0, x1) - 2) / SCALE));
}

/** Last column crossed in a picture of `width` columns; below firstColumn when there is none. */
export function lastColumn(x0: number, x1: number, width: number): number {
  return Math.min(width - 1, Math.floor((Math.max(x0, x1) - 3) / SCALE));
}

/**
 * Row (0 to `height`) from which on the mask is toggled in `column` by the edge between two enlarged points.
 * The column is one of those between firstColumn and lastColumn. Rows rise or fall steadily along an edge.
 */
export function crossingRow(x0: number, y0: number, x1: number, y1: number, column: number, height: number): number {
  const dx = Math.abs(x1 - x0);
  const dy = Math.abs(y1 - y0);
  const forward = dx >= dy ? x0 <= x1 : y0 <= y1;
  const y = forward ? walk(x0, y0, x1, y1, dx, dy, column) : walk(x1, y1, x0, y0, dx, dy, column);
  const row = Math.ceil((y - 2) / SCALE);
  return row <= 0 ? 0 : row > height ? height : row;
}

/** The smaller enlarged y of the two steps around the middle of the column; the edge runs forward on its longer side. */
function walk(xs: number, ys: number, xe: number, ye: number, dx: number, dy: number, column: number): number {
  const before = SCALE * column + 2;
  if (dx >= dy) {
    const slope = (ye - ys) / dx;
    const t = before - xs;
    return Math.min(Math.trunc(ys + slope * t + 0.5), Math.trunc(ys + slope * (t + 1) + 0.5));
  }
  return ys + stepAcross(xs, (xe - xs) / dy, before + 1, dy) - 1;
}

/** The first step at which the walk, which begins at `xs`, has come from one side of `after` - 1 | `after` to the other. */
function stepAcross(xs: number, slope: number, after: number, steps: number): number {
  let t = Math.min(steps, Math.max(1, Math.ceil((after - 0.5 - xs) / slope)));
  while (t > 1 && isAcross(xs, slope, after, t - 1)) t--;
  while (t < steps && !isAcross(xs, slope, after, t)) t++;
  return t;
}

function isAcross(xs: number, slope: number, after: number, t: number): boolean {
  return xs + slope * t + 0.5 >= after === slope > 0;
}
