import type { Bbox, Ring } from "../entities/shape";

/** Functions on one ring: a closed outline [x0, y0, x1, y1, …] in image pixels whose first point is not repeated. */

/** Returns the area by the shoelace formula: positive if the ring runs clockwise on screen (y points down). */
export function signedArea(ring: ArrayLike<number>): number {
  let sum = 0;
  let x0 = ring[ring.length - 2] ?? 0;
  let y0 = ring[ring.length - 1] ?? 0;
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const x1 = ring[i]!;
    const y1 = ring[i + 1]!;
    sum += x0 * y1 - x1 * y0;
    x0 = x1;
    y0 = y1;
  }
  return sum / 2;
}

/** Returns the box [x, y, width, height] around the points; zeros if there are none. */
export function ringBounds(ring: Ring): Bbox {
  if (ring.length < 2) return [0, 0, 0, 0];
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (let i = 0; i + 1 < ring.length; i += 2) {
    left = Math.min(left, ring[i]!);
    right = Math.max(right, ring[i]!);
    top = Math.min(top, ring[i + 1]!);
    bottom = Math.max(bottom, ring[i + 1]!);
  }
  return [left, top, right - left, bottom - top];
}

/** Returns true if a point is inside, by the even-odd rule. For a point on the outline, either result is possible. */
export function ringContains(ring: Ring, x: number, y: number): boolean {
  let inside = false;
  let x0 = ring[ring.length - 2] ?? 0;
  let y0 = ring[ring.length - 1] ?? 0;
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const x1 = ring[i]!;
    const y1 = ring[i + 1]!;
    if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) inside = !inside;
    x0 = x1;
    y0 = y1;
  }
  return inside;
}

/** A point on an outline, between vertex `after` and the next, `distance` image pixels from the given point. */
export interface OutlinePoint {
  after: number;
  x: number;
  y: number;
  distance: number;
}

/** Returns the point on the outline nearest to (x, y), or null for a ring without points. */
export function nearestOnOutline(ring: Ring, x: number, y: number): OutlinePoint | null {
  const count = ring.length >> 1;
  let nearest: OutlinePoint | null = null;
  for (let i = 0; i < count; i++) {
    const next = i + 1 < count ? i + 1 : 0;
    const point = nearestOnSegment(ring[2 * i]!, ring[2 * i + 1]!, ring[2 * next]!, ring[2 * next + 1]!, x, y);
    const distance = Math.hypot(point[0] - x, point[1] - y);
    if (!nearest || distance < nearest.distance) nearest = { after: i, x: point[0], y: point[1], distance };
  }
  return nearest;
}

/** Returns the point on the segment (x0, y0) to (x1, y1) nearest to (x, y). */
export function nearestOnSegment(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  x: number,
  y: number,
): [number, number] {
  const dx = x1 - x0;
  const dy = y1 - y0;
  const square = dx * dx + dy * dy;
  if (square === 0) return [x0, y0];
  const t = ((x - x0) * dx + (y - y0) * dy) / square;
  if (t <= 0) return [x0, y0];
  if (t >= 1) return [x1, y1];
  return [x0 + t * dx, y0 + t * dy];
}

/** Returns the distance in image pixels from (x, y) to the segment (x0, y0) to (x1, y1). */
export function segmentDistance(x0: number, y0: number, x1: number, y1: number, x: number, y: number): number {
  const [px, py] = nearestOnSegment(x0, y0, x1, y1, x, y);
  return Math.hypot(px - x, py - y);
}

/** Returns the index of the vertex nearest to a point and its distance, or null for a ring without points. */
export function nearestVertex(ring: Ring, x: number, y: number): { vertex: number; distance: number } | null {
  let nearest: { vertex: number; distance: number } | null = null;
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const distance = Math.hypot(ring[i]! - x, ring[i + 1]! - y);
    if (!nearest || distance < nearest.distance) nearest = { vertex: i >> 1, distance };
  }
  return nearest;
}

export function translateRing(ring: Ring, dx: number, dy: number): Ring {
  const moved = ring.slice();
  for (let i = 0; i < moved.length; i++) moved[i]! += i % 2 === 0 ? dx : dy;
  return moved;
}

/** Returns the ring in reverse direction, from the same first point. */
export function reverseRing(ring: ArrayLike<number>): Ring {
  const out: Ring = [];
  if (ring.length >= 2) out.push(ring[0]!, ring[1]!);
  for (let i = ring.length - 2; i >= 2; i -= 2) out.push(ring[i]!, ring[i + 1]!);
  return out;
}

/** Returns the ring running clockwise on screen, or counterclockwise, from the same first point. */
export function turned<R extends ArrayLike<number>>(ring: R, clockwise: boolean): R | Ring {
  return signedArea(ring) > 0 === clockwise ? ring : reverseRing(ring);
}

/** Returns a new ring without points that repeat the previous one or, at the end, the first one. */
export function openRing(ring: Ring): Ring {
  const out: Ring = [];
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const n = out.length;
    if (n === 0 || out[n - 2] !== ring[i] || out[n - 1] !== ring[i + 1]) out.push(ring[i]!, ring[i + 1]!);
  }
  while (out.length > 2 && out[0] === out[out.length - 2] && out[1] === out[out.length - 1]) out.length -= 2;
  return out;
}

/** Returns a ring with its first point repeated at the end, as some formats require. */
export function closeRing(ring: Ring): Ring {
  const open = openRing(ring);
  return [...open, ...open.slice(0, 2)];
}

/** Returns the points of a ring from one vertex forward to another, including both; one point if they are the same. */
export function walkRing(ring: Ring, from: number, to: number): Ring {
  if (from <= to) return ring.slice(2 * from, 2 * to + 2);
  return [...ring.slice(2 * from), ...ring.slice(0, 2 * to + 2)];
}
