import type { Ring, Rings } from "../../../../shared/entities/shape";

const FIRST_DISTANCE = 0.1;

/**
 * Leaves out points that are close to the previous one, until at most `most` coordinates are left. Takes linear time
 * for outlines of any length. Keeps at least three points of each ring.
 */
export function thinned(rings: Rings, most: number): Rings {
  for (let distance = FIRST_DISTANCE, thin = rings; ; distance *= 2) {
    const total = thin.reduce((sum, polygon) => sum + polygon.reduce((n, ring) => n + ring.length, 0), 0);
    if (total <= most) return thin;
    if (distance > 1e7) return [];
    thin = rings.map((polygon) => polygon.map((ring) => spaced(ring, distance)));
  }
}

function spaced(ring: Ring, distance: number): Ring {
  const out: Ring = [];
  const left = () => 6 - out.length;
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const [x, y] = [ring[i]!, ring[i + 1]!];
    const isFar = out.length === 0 || Math.hypot(x - out.at(-2)!, y - out.at(-1)!) >= distance;
    if (isFar || ring.length - i <= left()) out.push(x, y);
  }
  return out;
}
