import type { Bbox } from "../../../../shared/entities/shape";

/** Smallest side of a box that can be typed, in image pixels. */
const LEAST_SIDE = 1;

/** Returns a box with another x, y, width or height (`at` 0 to 3), limited to the image. */
export function withBoxValue(bounds: Bbox, at: number, value: number, image: { width: number; height: number }): Bbox {
  const next: Bbox = [...bounds];
  const size = at % 2 === 0 ? image.width : image.height;
  const [least, most] =
    at < 2 ? [0, Math.max(size - bounds[at + 2]!, 0)] : [LEAST_SIDE, Math.max(size - bounds[at - 2]!, LEAST_SIDE)];
  next[at] = Math.min(Math.max(value, least), most);
  return next;
}
