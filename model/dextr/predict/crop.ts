import type { Box, ImageSource } from "../base/imageSource";
import { boxOf } from "../base/points";
import { CONTEXT, CONTEXT_MIN } from "../base/recipe";
import type { Point } from "../base/request";

/**
 * Returns the part of the image to give to the network, in image pixels: the points' box with context around it. The
 * context is a share of the box's long side, so that objects of 20 and of 3,000 pixels fill the same part of the crop.
 */
export function cropAround(points: readonly Point[]): Box {
  const box = boxOf(points);
  const longSide = Math.max(box.right - box.left, box.bottom - box.top);
  return grown(box, Math.max(CONTEXT_MIN, CONTEXT * longSide));
}

/**
 * Returns the limits of the outline, in image pixels: exactly the padding around the points' box, inside the image and
 * the crop.
 */
export function reachAround(
  points: readonly Point[],
  padding: number,
  crop: Box,
  { width, height }: Pick<ImageSource, "width" | "height">,
): Box {
  const image = { left: 0, top: 0, right: width, bottom: height };
  return common(common(grown(boxOf(points), padding), crop), image);
}

export function isEmpty({ left, top, right, bottom }: Box): boolean {
  return left >= right || top >= bottom;
}

/** Returns the intersection of two boxes; it may be empty. */
export function common(a: Box, b: Box): Box {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

function grown({ left, top, right, bottom }: Box, by: number): Box {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}
