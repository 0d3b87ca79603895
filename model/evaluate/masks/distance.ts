import type { Point } from "../../dextr/base/request";
import type { Bitmap } from "./bitmap";

/**
 * Returns the pixel of a bitmap that is farthest from the pixels that are not set, those outside the image included:
 * the first of several, row by row. Null if no pixel is set.
 */
export function deepest(bits: Bitmap): Point | null {
  const squares = squaredDistances(bits);
  let best = 0;
  for (let i = 1; i < squares.length; i++) if (squares[i]! > squares[best]!) best = i;
  return squares[best]! > 0 ? [best % bits.width, Math.floor(best / bits.width)] : null;
}

/**
 * Returns the squared distance of each pixel's centre to the nearest pixel that is not set; outside the image none is.
 * Method: Felzenszwalb and Huttenlocher 2012, "Distance Transforms of Sampled Functions", first down, then across.
 */
export function squaredDistances({ width, height, data }: Bitmap): Float64Array {
  const out = new Float64Array(width * height);
  for (let x = 0; x < width; x++) {
    for (let y = 0, run = 0; y < height; y++) out[y * width + x] = run = data[y * width + x] ? run + 1 : 0;
    for (let y = height - 1, run = 0; y >= 0; y--) {
      const i = y * width + x;
      run = data[i] ? run + 1 : 0;
      out[i] = Math.min(out[i]!, run) ** 2;
    }
  }
  // One cell more on each side stands for the outside.
  const line = new Float64Array(width + 2);
  for (let y = 0; y < height; y++) {
    line.set(out.subarray(y * width, (y + 1) * width), 1);
    out.set(lowerEnvelope(line).subarray(1, width + 1), y * width);
  }
  return out;
}

/** Returns, for each place, the minimum of the parabolas with their lowest points at (i, values[i]). */
function lowerEnvelope(values: Float64Array): Float64Array {
  const roots: number[] = [0];
  const starts: number[] = [Number.NEGATIVE_INFINITY];
  const crossing = (a: number, b: number) => (values[b]! + b * b - values[a]! - a * a) / (2 * (b - a));
  for (let i = 1; i < values.length; i++) {
    while (crossing(roots.at(-1)!, i) <= starts.at(-1)!) {
      roots.pop();
      starts.pop();
    }
    starts.push(crossing(roots.at(-1)!, i));
    roots.push(i);
  }
  let k = 0;
  return values.map((_, i) => {
    while (k + 1 < roots.length && starts[k + 1]! < i) k++;
    return (i - roots[k]!) ** 2 + values[roots[k]!]!;
  });
}
