import type { Bbox } from "../../../shared/entities/shape";
import type { Point } from "../../dextr/base/request";
import { uniforms } from "../statistics/random";
import type { Bitmap } from "./bitmap";

/**
 * Returns the exact clicks: top, right, bottom, left. Each is the middle one (number n / 2, rounded down, of n) of the
 * mask's pixels in its outermost row or column. Throws an Error for an empty mask.
 */
export function extremePoints(mask: Bitmap): Point[] {
  const { width, height, data } = mask;
  const inRow = (y: number) => indices(width, (x) => data[y * width + x] === 1);
  const inColumn = (x: number) => indices(height, (y) => data[y * width + x] === 1);
  const [left, top, across, down] = boundsOf(mask);
  const [right, bottom] = [left + across - 1, top + down - 1];
  return [
    [middle(inRow(top)), top],
    [right, middle(inColumn(right))],
    [middle(inRow(bottom)), bottom],
    [left, middle(inColumn(left))],
  ];
}

/** Returns the mask's box: left, top, width, height. Throws an Error for an empty mask. */
export function boundsOf({ width, data }: Bitmap): Bbox {
  if (!data.includes(1)) throw new Error("The mask is empty.");
  const top = Math.floor(data.indexOf(1) / width);
  const bottom = Math.floor(data.lastIndexOf(1) / width);
  let [left, right] = [width, -1];
  for (let y = top; y <= bottom; y++) {
    const row = data.subarray(y * width, (y + 1) * width);
    if (!row.includes(1)) continue;
    left = Math.min(left, row.indexOf(1));
    right = Math.max(right, row.lastIndexOf(1));
  }
  return [left, top, right - left + 1, bottom - top + 1];
}

function indices(count: number, isSet: (index: number) => boolean): number[] {
  const out: number[] = [];
  for (let i = 0; i < count; i++) if (isSet(i)) out.push(i);
  return out;
}

function middle(sorted: readonly number[]): number {
  return sorted[sorted.length >> 1]!;
}

/** Returns the clicks, each moved by Gaussian noise of `share` of the distance between the outermost clicks. */
export function addNoise(points: readonly Point[], share: number, seed: number): Point[] {
  const gaussian = gaussians(seed);
  const spanOf = (axis: 0 | 1) => {
    const values = points.map((point) => point[axis]);
    return Math.max(...values) - Math.min(...values);
  };
  const [across, down] = [spanOf(0) * share, spanOf(1) * share];
  return points.map(([x, y]): Point => [x + gaussian() * across, y + gaussian() * down]);
}

/** Returns a generator of normally distributed numbers, the same for the same seed. Method: Box and Muller 1958. */
function gaussians(seed: number): () => number {
  const uniform = uniforms(seed);
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
