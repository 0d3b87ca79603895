import type { Ring, Rings } from "../entities/shape";
import { segmentDistance } from "./ring";

/**
 * A ring with fewer points, none of the points left out farther than `tolerance` image pixels from the new outline.
 * Method: Douglas and Peucker 1973, on the two chains between the two points that lie farthest apart (nearly), with a
 * stack instead of recursion. At least three points stay, and points of the ring are never moved.
 */
export function simplifyRing(ring: Ring, tolerance: number): Ring {
  const count = ring.length >> 1;
  if (count <= 3) return ring.slice();
  const start = farthestFrom(ring, 0);
  const turn = farthestFrom(ring, start);
  if (start === turn) return ring.slice(0, 6);
  const keep = new Uint8Array(count);
  keep[start] = 1;
  keep[turn] = 1;
  const chains = [start, turn, turn, start];
  let kept = 2;
  let spare = { vertex: -1, distance: -1 };
  while (chains.length > 0) {
    const to = chains.pop()!;
    const from = chains.pop()!;
    const middle = farthestBetween(ring, from, to);
    if (middle.vertex < 0) continue;
    if (middle.distance > tolerance) {
      keep[middle.vertex] = 1;
      kept++;
      chains.push(from, middle.vertex, middle.vertex, to);
    } else if (middle.distance > spare.distance) spare = middle;
  }
  if (kept < 3) keep[spare.vertex] = 1;
  const out: Ring = [];
  for (let i = 0; i < count; i++) if (keep[i]) out.push(ring[2 * i]!, ring[2 * i + 1]!);
  return out;
}

/** All rings simplified; see simplifyRing. */
export function simplifyRings(rings: Rings, tolerance: number): Rings {
  return rings.map((polygon) => polygon.map((ring) => simplifyRing(ring, tolerance)));
}

function farthestFrom(ring: Ring, vertex: number): number {
  let best = vertex;
  let most = 0;
  for (let i = 0; i < ring.length >> 1; i++) {
    const distance = Math.hypot(ring[2 * i]! - ring[2 * vertex]!, ring[2 * i + 1]! - ring[2 * vertex + 1]!);
    if (distance > most) {
      most = distance;
      best = i;
    }
  }
  return best;
}

/** The vertex between two others, going forward around the ring, that is farthest from the segment between them. */
function farthestBetween(ring: Ring, from: number, to: number): { vertex: number; distance: number } {
  const count = ring.length >> 1;
  let vertex = -1;
  let most = -1;
  for (let i = (from + 1) % count; i !== to; i = i + 1 < count ? i + 1 : 0) {
    const distance = segmentDistance(
      ring[2 * from]!,
      ring[2 * from + 1]!,
      ring[2 * to]!,
      ring[2 * to + 1]!,
      ring[2 * i]!,
      ring[2 * i + 1]!,
    );
    if (distance > most) {
      most = distance;
      vertex = i;
    }
  }
  return { vertex, distance: most };
}
