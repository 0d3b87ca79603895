import type { Ring } from "../../entities/shape";
import { walkRing } from "../ring";

/** A point on a ring, on the stretch after a vertex. */
export interface OnRing {
  x: number;
  y: number;
  /** The vertex before the point, or at it. */
  after: number;
}

/** Returns the ring's vertices between two points on it, without the points, along the shorter way: x, y, x, y, … */
export function followRing(ring: Ring, from: OnRing, to: OnRing): Ring {
  const forward = between(ring, from, to);
  const backward = reversedPoints(between(ring, to, from));
  return lengthOf(from, forward, to) <= lengthOf(from, backward, to) ? forward : backward;
}

/** Returns the vertices that lie between two points in the ring's direction. */
function between(ring: Ring, from: OnRing, to: OnRing): Ring {
  const count = ring.length >> 1;
  if (from.after === to.after && along(ring, from) <= along(ring, to)) return [];
  const vertices = walkRing(ring, (from.after + 1) % count, to.after);
  return isAt(vertices, 0, from) || isAt(vertices, -2, to) ? withoutEnds(vertices, from, to) : vertices;
}

function withoutEnds(vertices: Ring, from: OnRing, to: OnRing): Ring {
  const begin = isAt(vertices, 0, from) ? 2 : 0;
  return vertices.slice(begin, isAt(vertices, -2, to) ? vertices.length - 2 : undefined);
}

const isAt = (ring: Ring, index: number, { x, y }: OnRing): boolean => ring.at(index) === x && ring.at(index + 1) === y;

/** Returns the distance of a point from the vertex before it. */
const along = (ring: Ring, { x, y, after }: OnRing): number =>
  Math.hypot(x - ring[2 * after]!, y - ring[2 * after + 1]!);

function lengthOf(from: OnRing, between: Ring, to: OnRing): number {
  const line = [from.x, from.y, ...between, to.x, to.y];
  let sum = 0;
  for (let i = 2; i < line.length; i += 2) sum += Math.hypot(line[i]! - line[i - 2]!, line[i + 1]! - line[i - 1]!);
  return sum;
}

function reversedPoints(line: Ring): Ring {
  const out: Ring = [];
  for (let i = line.length - 2; i >= 0; i -= 2) out.push(line[i]!, line[i + 1]!);
  return out;
}
