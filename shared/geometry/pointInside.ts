import type { Ring } from "../entities/shape";

/**
 * Returns a point well inside a ring, by the even-odd rule: halfway between the two neighbouring y-values of vertices
 * that are farthest apart, in the middle of the widest part inside. For a ring without area, returns its first point.
 */
export function pointInside(ring: Ring): readonly [number, number] {
  const y = widestLevel(ring);
  const crossings = y === null ? [] : crossingsAt(ring, y);
  let best = -1;
  for (let i = 0; i + 1 < crossings.length; i += 2)
    if (best < 0 || crossings[i + 1]! - crossings[i]! > crossings[best + 1]! - crossings[best]!) best = i;
  if (y === null || best < 0) return [ring[0] ?? 0, ring[1] ?? 0];
  return [(crossings[best]! + crossings[best + 1]!) / 2, y];
}

function widestLevel(ring: Ring): number | null {
  const levels = Float64Array.from({ length: ring.length >> 1 }, (_, i) => ring[2 * i + 1]!).sort();
  let level: number | null = null;
  let widest = 0;
  for (let i = 1; i < levels.length; i++) {
    const gap = levels[i]! - levels[i - 1]!;
    if (gap <= widest) continue;
    widest = gap;
    level = levels[i - 1]! + gap / 2;
  }
  return level;
}

/** Returns the x-values at which the ring's edges cross a level, in ascending order. */
function crossingsAt(ring: Ring, y: number): number[] {
  const crossings: number[] = [];
  let x0 = ring[ring.length - 2] ?? 0;
  let y0 = ring[ring.length - 1] ?? 0;
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const x1 = ring[i]!;
    const y1 = ring[i + 1]!;
    if (y0 > y !== y1 > y) crossings.push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0));
    x0 = x1;
    y0 = y1;
  }
  return crossings.sort((a, b) => a - b);
}
