import type { Ring } from "../../../../shared/entities/shape";
import type { Point } from "../../canvas/view/view";

/** Returns the box with these opposite corners as a ring, clockwise on screen from the top left. */
export function boxRing(a: Point, b: Point): Ring {
  const left = Math.min(a.x, b.x);
  const right = Math.max(a.x, b.x);
  const top = Math.min(a.y, b.y);
  const bottom = Math.max(a.y, b.y);
  return [left, top, right, top, right, bottom, left, bottom];
}
