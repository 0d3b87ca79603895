import type { Size } from "../entities/image";
import type { Bbox } from "../entities/shape";

/** Returns the part of a box inside the image; undefined if there is none. */
export function clipBox([x, y, w, h]: Bbox, { width, height }: Size): Bbox | undefined {
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  const [right, bottom] = [Math.min(width, x + w), Math.min(height, y + h)];
  return right > left && bottom > top ? [left, top, right - left, bottom - top] : undefined;
}
