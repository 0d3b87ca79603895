import type { Ring, Rings } from "../../entities/shape";

/**
 * Lines x, y, x, y, … in image pixels. A line is stored as a ring without area that goes to its end and back along the
 * same points, the last one twice, so that every reader of polygons can read it.
 */

/** Returns the ring that stores a line of at least two points: a, b, c becomes a, b, c, c, b. */
export function ringOfLine(line: Ring): Ring {
  const ring = line.slice();
  for (let i = line.length - 2; i >= 2; i -= 2) ring.push(line[i]!, line[i + 1]!);
  return ring;
}

/** Returns the line that a ring stores; null for any other ring. */
export function lineOf(ring: ArrayLike<number>): Ring | null {
  const count = ring.length >> 1;
  if (count < 3 || count % 2 === 0) return null;
  const length = (count + 1) / 2;
  for (let i = length - 1; i > 0; i--) {
    const back = count - i;
    if (ring[2 * i] !== ring[2 * back] || ring[2 * i + 1] !== ring[2 * back + 1]) return null;
  }
  return Array.from({ length: 2 * length }, (_, i) => ring[i]!);
}

/** Returns the index that a vertex of a line's ring has in the line. */
export function vertexOfLine(ring: Ring, vertex: number): number {
  const count = ring.length >> 1;
  return 2 * vertex < count ? vertex : count - vertex;
}

/** Returns the index, in the line, of the start of the segment that follows a vertex of the line's ring. */
export function segmentOfLine(ring: Ring, vertex: number): number {
  const count = ring.length >> 1;
  const last = (count - 1) / 2;
  return vertex < last ? vertex : Math.max(Math.min(count - vertex - 1, last - 1), 0);
}

/** Returns true for a polygon that is a line. */
export const isLine = (polygon: readonly ArrayLike<number>[]): boolean =>
  polygon.length === 1 && lineOf(polygon[0]!) !== null;

/** Returns true for a shape that consists of lines only. */
export const isOnlyLines = (rings: readonly (readonly ArrayLike<number>[])[]): boolean =>
  rings.length > 0 && rings.every(isLine);

/** Returns the polygons of a shape that are lines, and the others. */
export function divideLines(rings: Rings): { lines: Rings; areas: Rings } {
  const lines = rings.filter(isLine);
  if (lines.length === 0) return { lines, areas: rings };
  return { lines, areas: rings.filter((polygon) => !lines.includes(polygon)) };
}
