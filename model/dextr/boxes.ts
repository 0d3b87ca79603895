import type { Annotation } from "../../shared/entities/annotation";
import type { Bbox, Rings } from "../../shared/entities/shape";
import { ringsBounds } from "../../shared/geometry/polygons";
import { EVEN_THRESHOLD } from "./base/recipe";
import type { DextrRequest } from "./base/request";
import { promptOfBox } from "./prompts";

/** Outlines of the objects in boxes, found without corrections by a user. */

/** Least width and height of a box that gets an outline, in image pixels: a smaller outline adds nothing to its box. */
const LEAST_SIDE = 4;
/** Distance that an outline may extend beyond its box, in image pixels. */
const PADDING = 0;
/** Least overlap (IoU) of an outline's own box with the given box: an object touches all sides of its box. */
const LEAST_FIT = 0.5;

/** Returns the part of a box inside the image; null if no part is, or if the part is too small for an outline. */
export function boxInside([left, top, width, height]: Bbox, image: { width: number; height: number }): Bbox | null {
  const [x, y] = [Math.max(left, 0), Math.max(top, 0)];
  const [across, down] = [Math.min(left + width, image.width) - x, Math.min(top + height, image.height) - y];
  return across >= LEAST_SIDE && down >= LEAST_SIDE ? [x, y, across, down] : null;
}

/** Returns the request for the outline of the object in a box. */
export function requestOfBox(box: Bbox): DextrRequest {
  return { ...promptOfBox(box), padding: PADDING, threshold: EVEN_THRESHOLD };
}

/** Returns true if an outline fills a box, as an object fills the box around it. */
export function fillsBox(rings: Rings, [left, top, width, height]: Bbox): boolean {
  if (rings.length === 0) return false;
  const [x, y, across, down] = ringsBounds(rings);
  const common =
    Math.max(0, Math.min(x + across, left + width) - Math.max(x, left)) *
    Math.max(0, Math.min(y + down, top + height) - Math.max(y, top));
  return common >= LEAST_FIT * (across * down + width * height - common);
}

/**
 * Returns true for an annotation that is only a box. Returns false for crowds, whose box holds many objects, none of
 * which fills it, and for rectangles that were drawn as polygons.
 */
export function isOnlyBox({ isbbox, iscrowd, rings, rle, keypoints, bbox }: Annotation): boolean {
  if (iscrowd || !(bbox[2] > 0 && bbox[3] > 0)) return false;
  return isbbox || (rings === null && rle === null && !keypoints?.length);
}
