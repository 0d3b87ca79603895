import type { Annotation } from "../../shared/entities/annotation";
import type { Bbox, Rings } from "../../shared/entities/shape";
import { ringsBounds } from "../../shared/geometry/polygons";
import { EVEN_THRESHOLD } from "./base/recipe";
import type { DextrRequest } from "./base/request";
import { promptOfBox } from "./prompts";

/** Outlines of boxes that are not corrected by a user. */

/** Shortest side of a box that gets an outline, in image pixels: a smaller outline says no more than the box. */
const LEAST_SIDE = 4;
/** Distance that an outline may extend beyond its box, in image pixels. */
const PADDING = 0;
/** Least overlap (IoU) of an outline's own box with the box: an object touches all of its sides. */
const LEAST_FIT = 0.5;

/** Returns the part of a box inside the image; null if there is none, or if it is too small for an outline. */
export function boxInside([left, top, width, height]: Bbox, image: { width: number; height: number }): Bbox | null {
  const [x, y] = [Math.max(left, 0), Math.max(top, 0)];
  const [across, down] = [Math.min(left + width, image.width) - x, Math.min(top + height, image.height) - y];
  return across >= LEAST_SIDE && down >= LEAST_SIDE ? [x, y, across, down] : null;
}

/** Returns the request for the outline of the object in a box. */
export function requestOfBox(box: Bbox): DextrRequest {
  return { ...promptOfBox(box), padding: PADDING, threshold: EVEN_THRESHOLD };
}

/** Returns true if an outline fills its box, as that of the object does. */
export function fillsBox(rings: Rings, [left, top, width, height]: Bbox): boolean {
  if (rings.length === 0) return false;
  const [x, y, across, down] = ringsBounds(rings);
  const common =
    Math.max(0, Math.min(x + across, left + width) - Math.max(x, left)) *
    Math.max(0, Math.min(y + down, top + height) - Math.max(y, top));
  return common >= LEAST_FIT * (across * down + width * height - common);
}

/**
 * Returns true for an annotation that is only a box. Crowds are not: their box holds many objects, of which none
 * fills it. Rectangles that were drawn as polygons are shapes.
 */
export function isOnlyBox({ isbbox, iscrowd, rings, rle, keypoints, bbox }: Annotation): boolean {
  if (iscrowd || !(bbox[2] > 0 && bbox[3] > 0)) return false;
  return isbbox || (rings === null && rle === null && !keypoints?.length);
}
