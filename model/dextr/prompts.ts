import type { Bbox, Ring, Rings } from "../../shared/entities/shape";
import { isRectangle, ringsBounds } from "../../shared/geometry/polygons";
import type { Point, Prompt } from "./base/request";

/** Difference below which two vertices count as equally far out, in image pixels. */
const SAME = 0.5;

/**
 * Returns the clicks for an object whose shape is known (in image pixels): those of a box for a rectangle, the extreme
 * points for any other shape; null for a shape without area.
 */
export function promptOfShape(rings: Rings): Prompt | null {
  const bounds = ringsBounds(rings);
  if (!(bounds[2] > 0 && bounds[3] > 0)) return null;
  if (isRectangle(rings)) return promptOfBox(bounds);
  const outer = rings.flatMap(([ring]) => (ring ? [ring] : []));
  const [top, left] = [extreme(outer, 1, -1), extreme(outer, 0, -1)];
  const [bottom, right] = [extreme(outer, 1, 1), extreme(outer, 0, 1)];
  // Pixel coordinates: an extreme point is the centre of the outermost pixel.
  return {
    points: [
      [top[0] - 0.5, top[1]],
      [left[0], left[1] - 0.5],
      [bottom[0] - 0.5, Math.max(bottom[1] - 1, top[1])],
      [Math.max(right[0] - 1, left[0]), right[1] - 0.5],
    ],
    more: [],
  };
}

/** Returns the clicks for an object in a box [left, top, width, height], in image pixels. */
export function promptOfBox([left, top, width, height]: Bbox): Prompt {
  const [right, bottom] = [left + Math.max(width - 1, 0), top + Math.max(height - 1, 0)];
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return {
    isBox: true,
    points: [
      [x, top],
      [left, y],
      [x, bottom],
      [right, y],
    ],
    more: [],
  };
}

/**
 * Returns the point of the rings that is farthest in a direction (1 or -1) along an axis (0: x, 1: y): the middle of
 * the longest edge that lies there, or else a vertex.
 */
function extreme(rings: readonly Ring[], axis: 0 | 1, direction: 1 | -1): Point {
  const farthest = direction * Math.max(...rings.map((ring) => outermost(ring, axis, direction)));
  const isOut = (value: number) => Math.abs(value - farthest) < SAME;
  let [across, length] = [0, -1];
  for (const ring of rings)
    for (let i = 0; i < ring.length; i += 2) {
      if (!isOut(ring[i + axis]!)) continue;
      const next = (i + 2) % ring.length;
      const [here, there] = [ring[i + 1 - axis]!, ring[next + 1 - axis]!];
      const end = isOut(ring[next + axis]!) ? there : here;
      if (Math.abs(end - here) > length) [across, length] = [(here + end) / 2, Math.abs(end - here)];
    }
  return axis === 0 ? [farthest, across] : [across, farthest];
}

function outermost(ring: Ring, axis: 0 | 1, direction: 1 | -1): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = axis; i < ring.length; i += 2) most = Math.max(most, direction * ring[i]!);
  return most;
}
