import type { Rings } from "../../../../shared/entities/shape";
import type { Box, Shape } from "../shapes/shapes";
import type { Point } from "../view/view";

/** A shape in the box in which a gesture shows it. `stored`: the box of its rings, if it is another one. */
export type ShownShape = Shape & { stored?: Box };

/** Maximum number of vertices that are cut off at the edges of the view for one frame. */
const MOST_VERTICES = 60_000;

/** Returns true if boxes have a point in common. */
export const isIn = (a: Box, b: Box): boolean =>
  a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;

export const overlapOf = (a: Box, b: Box): Box => ({
  minX: Math.max(a.minX, b.minX),
  minY: Math.max(a.minY, b.minY),
  maxX: Math.min(a.maxX, b.maxX),
  maxY: Math.min(a.maxY, b.maxY),
});

/**
 * Returns a function that finds the highest point of the part of a shape that is in view, the leftmost of equally high
 * ones; null if no part is. Of shapes without rings, and of those that have too many vertices, it returns the place
 * `at` the upper edge of the box. All coordinates are image pixels.
 */
export function visibleTops(view: Box): (shape: ShownShape, at: "left" | "middle") => Point | null {
  let left = MOST_VERTICES;
  return (shape, at) => {
    const seen = overlapOf(shape, view);
    const ofBox = { x: at === "left" ? seen.minX : (seen.minX + seen.maxX) / 2, y: seen.minY };
    const { stored = shape, rings } = shape;
    if (rings.length === 0) return ofBox;
    const scaleX = shape.maxX > shape.minX ? (stored.maxX - stored.minX) / (shape.maxX - shape.minX) : 1;
    const scaleY = shape.maxY > shape.minY ? (stored.maxY - stored.minY) / (shape.maxY - shape.minY) : 1;
    const isWhole =
      seen.minX === shape.minX && seen.maxX === shape.maxX && seen.minY === shape.minY && seen.maxY === shape.maxY;
    if (!isWhole) left -= countOf(rings);
    if (!isWhole && left < 0) return ofBox;
    const top = isWhole ? topOf(rings) : topOfCut(rings, storedBox());
    return top && { x: shape.minX + (top.x - stored.minX) / scaleX, y: shape.minY + (top.y - stored.minY) / scaleY };

    /** Returns the visible box in the coordinates of the rings. */
    function storedBox(): Box {
      const { minX, minY } = stored;
      return {
        minX: minX + (seen.minX - shape.minX) * scaleX,
        minY: minY + (seen.minY - shape.minY) * scaleY,
        maxX: minX + (seen.maxX - shape.minX) * scaleX,
        maxY: minY + (seen.maxY - shape.minY) * scaleY,
      };
    }
  };
}

const countOf = (rings: Rings): number => rings.reduce((sum, [outer = []]) => sum + outer.length / 2, 0);

/** Results of `topOf`. Rings are immutable. */
const tops = new WeakMap<Rings, Point | null>();

function topOf(rings: Rings): Point | null {
  const known = tops.get(rings);
  if (known !== undefined) return known;
  const top = highest(rings.map(([outer = []]) => outer));
  tops.set(rings, top);
  return top;
}

const topOfCut = (rings: Rings, box: Box): Point | null => highest(rings.map(([outer = []]) => cutTo(outer, box)));

function highest(rings: readonly (readonly number[])[]): Point | null {
  let top: Point | null = null;
  for (const ring of rings)
    for (let i = 0; i + 1 < ring.length; i += 2) {
      const [x, y] = [ring[i]!, ring[i + 1]!];
      if (!top || y < top.y || (y === top.y && x < top.x)) top = { x, y };
    }
  return top;
}

/**
 * Returns the part of a ring inside a box, by Sutherland and Hodgman's algorithm: one edge of the box after another.
 */
function cutTo(ring: readonly number[], { minX, minY, maxX, maxY }: Box): readonly number[] {
  let part = ring;
  part = cutAt(part, 0, minX, 1);
  part = cutAt(part, 0, maxX, -1);
  part = cutAt(part, 1, minY, 1);
  return cutAt(part, 1, maxY, -1);
}

/** Returns the part of a ring on one side of a line. `axis`: 0 for a line at an x, 1 for one at a y. */
function cutAt(ring: readonly number[], axis: 0 | 1, at: number, side: 1 | -1): readonly number[] {
  const inside = (i: number) => (ring[i + axis]! - at) * side >= 0;
  const part: number[] = [];
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const before = i === 0 ? ring.length - 2 : i - 2;
    if (inside(i) !== inside(before)) {
      const share = (at - ring[before + axis]!) / (ring[i + axis]! - ring[before + axis]!);
      const other = ring[before + 1 - axis]! + share * (ring[i + 1 - axis]! - ring[before + 1 - axis]!);
      if (axis === 0) part.push(at, other);
      else part.push(other, at);
    }
    if (inside(i)) part.push(ring[i]!, ring[i + 1]!);
  }
  return part;
}
