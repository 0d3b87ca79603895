import type { Ring } from "../../entities/shape";

/** A circle: its middle and radius, in image pixels. */
export interface Disc {
  x: number;
  y: number;
  radius: number;
}

const TURN = 2 * Math.PI;
/** Largest deviation from a small circle, as a share of its radius: the circle becomes at least an octagon. */
const SHARE_OF_RADIUS = 0.05;

/**
 * Returns the outline of the area that a brush covers on its way from one disc to the other while its radius changes.
 * `deviation`: largest distance of the outline from the exact one, in image pixels. All outlines turn in the same
 * direction.
 */
export function taperedRing(a: Disc, b: Disc, deviation: number): Ring {
  const distance = Math.hypot(b.x - a.x, b.y - a.y);
  if (distance <= Math.abs(a.radius - b.radius)) {
    const larger = a.radius >= b.radius ? a : b;
    return arc(larger, 0, TURN, deviation).slice(0, -2);
  }
  const direction = Math.atan2(b.y - a.y, b.x - a.x);
  // The common tangents of both discs touch them at this angle from the direction.
  const angle = Math.acos((a.radius - b.radius) / distance);
  const first = arc(a, direction + angle, direction + TURN - angle, deviation);
  return [...first, ...arc(b, direction - angle, direction + angle, deviation)];
}

/** Returns the points of an arc between two angles in radians, both ends included. */
function arc({ x, y, radius }: Disc, from: number, to: number, deviation: number): Ring {
  const allowed = Math.min(deviation, SHARE_OF_RADIUS * radius);
  const step = radius > 0 ? 2 * Math.acos(1 - allowed / radius) : TURN;
  const count = Math.max(1, Math.ceil((to - from) / step));
  return Array.from({ length: count + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / count;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  }).flat();
}

/**
 * Returns the discs without those whose position and radius are within `deviation` of those of a disc that moves
 * straight from a kept disc to the next (Douglas and Peucker).
 */
export function simplifyDiscs(discs: readonly Disc[], deviation: number): Disc[] {
  const kept = new Set([0, discs.length - 1]);
  const open: [number, number][] = [[0, discs.length - 1]];
  for (let part = open.pop(); part; part = open.pop()) {
    const [from, to] = part;
    let farthest = -1;
    let most = deviation;
    for (let i = from + 1; i < to; i++) {
      const away = distanceFromWay(discs[i]!, discs[from]!, discs[to]!);
      if (away <= most) continue;
      most = away;
      farthest = i;
    }
    if (farthest < 0) continue;
    kept.add(farthest);
    open.push([from, farthest], [farthest, to]);
  }
  return discs.filter((_, i) => kept.has(i));
}

function distanceFromWay(disc: Disc, from: Disc, to: Disc): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : ((disc.x - from.x) * dx + (disc.y - from.y) * dy) / square;
  const share = Math.min(Math.max(along, 0), 1);
  const away = Math.hypot(disc.x - from.x - share * dx, disc.y - from.y - share * dy);
  return Math.max(away, Math.abs(disc.radius - from.radius - share * (to.radius - from.radius)));
}
