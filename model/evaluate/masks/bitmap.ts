import type { Rings } from "../../../shared/entities/shape";

/** A mask of an image: 1 or 0 for each pixel, row by row. */
export interface Bitmap {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Returns the pixels whose centres are inside polygons with holes (even-odd, in image pixels). */
export function rasterise(rings: Rings, width: number, height: number): Bitmap {
  const crossings: number[][] = Array.from({ length: height }, () => []);
  for (const ring of rings.flat()) cross(ring, crossings);
  const data = new Uint8Array(width * height);
  crossings.forEach((xs, row) => {
    xs.sort((a, b) => a - b);
    for (let i = 0; i + 1 < xs.length; i += 2) {
      const from = Math.min(Math.max(Math.ceil(xs[i]! - 0.5), 0), width);
      const to = Math.min(Math.max(Math.ceil(xs[i + 1]! - 0.5), from), width);
      data.fill(1, row * width + from, row * width + to);
    }
  });
  return { width, height, data };
}

/** Adds to each row the x-values at which the ring crosses the line through the centres of its pixels. */
function cross(ring: readonly number[], crossings: number[][]): void {
  let [x0, y0] = ring.slice(-2) as [number, number];
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const [x1, y1] = [ring[i]!, ring[i + 1]!];
    const first = Math.max(Math.ceil(Math.min(y0, y1) - 0.5), 0);
    const end = Math.min(Math.ceil(Math.max(y0, y1) - 0.5), crossings.length);
    for (let row = first; row < end; row++) crossings[row]!.push(x0 + ((row + 0.5 - y0) / (y1 - y0)) * (x1 - x0));
    [x0, y0] = [x1, y1];
  }
}

/**
 * Returns the intersection over union of two bitmaps of the same size, without pixels set in `ignored`. 1 if both are
 * empty.
 */
export function iou(a: Bitmap, b: Bitmap, ignored: Bitmap | null): number {
  let [both, either] = [0, 0];
  for (let i = 0; i < a.data.length; i++) {
    if (ignored?.data[i]) continue;
    both += a.data[i]! & b.data[i]!;
    either += a.data[i]! | b.data[i]!;
  }
  return either === 0 ? 1 : both / either;
}
