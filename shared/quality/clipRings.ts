import type { Size } from "../entities/image";
import type { Rings } from "../entities/shape";
import { combine } from "../geometry/combine";
import { ringsBounds } from "../geometry/polygons";

/**
 * Returns the part of a shape that is inside the image. Polygons that do not reach the border stay exactly as they are.
 */
export function clipRings(rings: Rings, { width, height }: Size): Rings {
  const [x, y, across, down] = ringsBounds(rings);
  const [left, top] = [Math.min(0, x) - 1, Math.min(0, y) - 1];
  const [right, bottom] = [Math.max(width, x + across) + 1, Math.max(height, y + down) + 1];
  const outside: Rings = [
    [box(left, top, right, 0)],
    [box(left, height, right, bottom)],
    [box(left, 0, 0, height)],
    [box(width, 0, right, height)],
  ];
  return combine("subtract", rings, outside);
}

const box = (left: number, top: number, right: number, bottom: number): number[] => [
  left,
  top,
  right,
  top,
  right,
  bottom,
  left,
  bottom,
];
