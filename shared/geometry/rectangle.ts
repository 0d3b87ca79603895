import type { Rings } from "../entities/shape";

/** Returns true for a single ring of four corners with horizontal and vertical sides. */
export function isRectangle(rings: Rings): boolean {
  const [polygon, ...others] = rings;
  const [ring, ...holes] = polygon ?? [];
  if (others.length > 0 || holes.length > 0 || ring?.length !== 8) return false;
  const [x0, y0, x1, y1, x2, y2, x3, y3] = ring;
  return (x0 === x1 && y1 === y2 && x2 === x3 && y3 === y0) || (y0 === y1 && x1 === x2 && y2 === y3 && x3 === x0);
}
