import type { Rings } from "../entities/shape";
import { subtract, unite } from "./boolean";
import { divideLines } from "./lines/line";
import { boundsTouch, ringsBounds } from "./polygons";
import { ringBounds, signedArea } from "./ring";

/** Difference in square image pixels that is too small to have been drawn. */
export const NEGLIGIBLE = 0.01;

/**
 * Adds an area to a shape or subtracts it. Returns polygons with holes in image pixels. Polygons away from the area,
 * and lines, stay exactly as they are; if nothing changes, the same shape is returned.
 */
export function combine(operation: "unite" | "subtract", shape: Rings, area: Rings): Rings {
  const [own, coming] = [divideLines(shape), divideLines(area)];
  const lines = operation === "unite" ? [...own.lines, ...coming.lines] : own.lines;
  const made = combineAreas(operation, own.areas, coming.areas);
  if (made === own.areas && lines.length === own.lines.length) return shape;
  return lines.length === 0 ? made : [...made, ...lines];
}

function combineAreas(operation: "unite" | "subtract", shape: Rings, area: Rings): Rings {
  if (area.length === 0) return shape;
  const box = ringsBounds(area);
  const near: Rings = [];
  const away: Rings = [];
  for (const polygon of shape) (boundsTouch(ringBounds(polygon[0] ?? []), box) ? near : away).push(polygon);
  if (near.length === 0 && operation === "subtract") return shape;
  const made = operation === "unite" ? unite(near, area) : subtract(near, area);
  if (isAsLarge(made, near)) return shape;
  // Overlaps between polygons of the shape count once in the result, but twice in their sum.
  if (near.length > 1 && isAsLarge(made, unite(near, []))) return shape;
  return [...away, ...made];
}

function isAsLarge(a: Rings, b: Rings): boolean {
  return Math.abs(extent(a) - extent(b)) < NEGLIGIBLE;
}

/** Returns the area of polygons without their holes, in square image pixels. */
export function extent(rings: Rings): number {
  const sizes = rings.map(([outer = [], ...holes]) => holes.reduce((rest, hole) => rest - sizeOf(hole), sizeOf(outer)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const sizeOf = (ring: number[]): number => Math.abs(signedArea(ring));
