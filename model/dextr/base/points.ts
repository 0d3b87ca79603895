import type { Box, ImageSource } from "./imageSource";
import type { Point, Prompt } from "./request";

/** Throws an Error if there is no point, or if one is not a pair of finite numbers. */
export function checkPoints(points: readonly Point[]): void {
  if (points.length === 0) throw new Error("DEXTR needs points.");
  if (!points.every((point) => point.length === 2 && point.every(Number.isFinite)))
    throw new Error("DEXTR needs points of two finite numbers each.");
}

/** Returns the box of the points' pixels, which ends one pixel after the last. Needs at least one point. */
export function boxOf(points: readonly Point[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const [x, y] of points) {
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x + 1);
    box.bottom = Math.max(box.bottom, y + 1);
  }
  return box;
}

/** Returns the points, those outside the image moved to its nearest pixel: an object cut by the border ends there. */
export function movedInside(
  points: readonly Point[],
  { width, height }: Pick<ImageSource, "width" | "height">,
): Point[] {
  return points.map(([x, y]) => [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)]);
}

/** Returns the prompt with all its points inside the image. */
export function promptInside(
  { points, isBox = false, more, added = [], removed = [] }: Prompt,
  image: Pick<ImageSource, "width" | "height">,
): Required<Prompt> {
  const inside = (list: readonly Point[]) => movedInside(list, image);
  return { points: inside(points), isBox, more: inside(more), added: inside(added), removed: inside(removed) };
}
