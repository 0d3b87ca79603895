import type { Point } from "../dextr/base/request";
import type { Bitmap } from "./bitmap";

/**
 * Returns the exact clicks: top, right, bottom, left. Each is the middle one (number n / 2, rounded down, of n) of the
 * mask's pixels in its outermost row or column. Throws an Error for an empty mask.
 */
export function extremePoints({ width, height, data }: Bitmap): Point[] {
  const inRow = (y: number) => indices(width, (x) => data[y * width + x] === 1);
  const inColumn = (x: number) => indices(height, (y) => data[y * width + x] === 1);
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
  return [
    [middle(inRow(top)), top],
    [right, middle(inColumn(right))],
    [middle(inRow(bottom)), bottom],
    [left, middle(inColumn(left))],
  ];
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

/**
 * Returns a generator of normally distributed numbers, the same for the same seed. Method: Box and Muller 1958, on a
 * hashed counter.
 */
function gaussians(seed: number): () => number {
  let count = 0;
  const uniform = () => (mixed(mixed(seed) + count++) + 1) / 2 ** 32;
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Returns a pseudo-random 32-bit integer. Constants: the finaliser of MurmurHash3. */
function mixed(value: number): number {
  let bits = (value + 0x9e3779b9) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
