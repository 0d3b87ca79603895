import type { Bbox, Ring } from "../../../../shared/entities/shape";
import { rotatedRing, unrotated } from "../../../../shared/geometry/forms/rotatedBox";

/** Minimum width and height that can be typed for a box, in image pixels. */
const LEAST_SIDE = 1;

/** Returns a box with a new x, y, width or height (`at` 0 to 3), limited to the image. */
export function withBoxValue(bounds: Bbox, at: number, value: number, image: { width: number; height: number }): Bbox {
  const next: Bbox = [...bounds];
  const size = at % 2 === 0 ? image.width : image.height;
  const [least, most] =
    at < 2 ? [0, Math.max(size - bounds[at + 2]!, 0)] : [LEAST_SIDE, Math.max(size - bounds[at - 2]!, LEAST_SIDE)];
  next[at] = Math.min(Math.max(value, least), most);
  return next;
}

/**
 * Returns a rotated box with a new x, y, width, height or angle (`at` 0 to 4). Position and size are those of the box
 * before its rotation. A new size keeps the middle.
 */
export function withRotatedValue(ring: Ring, at: number, value: number): Ring {
  const { box, degrees } = unrotated(ring);
  if (at === 4) return rotatedRing({ box, degrees: value });
  const next: Bbox = [...box];
  next[at] = at < 2 ? value : Math.max(value, LEAST_SIDE);
  if (at >= 2) next[at - 2] = box[at - 2]! + (box[at]! - next[at]!) / 2;
  return rotatedRing({ box: next, degrees });
}
