import type { Ring, Rings } from "../entities/shape";
import { isLine, lineOf, ringOfLine } from "./lines/line";
import { cross, eachNearPair } from "./segments";

/** Largest number of rounds in which points are restored to remove crossings. */
const MAX_ROUNDS = 12;

/** A ring that is being simplified. `keep` is 1 for each point that stays. */
interface Thinned {
  ring: Ring;
  keep: Uint8Array;
}

/**
 * Returns a ring with fewer points. No removed point is farther than `tolerance` image pixels from the new outline. At
 * least three points stay, and points are never moved. See simplifyRings.
 */
export function simplifyRing(ring: Ring, tolerance: number): Ring {
  return simplifyRings([[ring]], tolerance)[0]![0]!;
}

/**
 * Simplifies all rings as simplifyRing does. Method: Douglas and Peucker 1973, on the two chains between two points
 * that are far apart, with a stack instead of recursion. Simplified edges may cross where the original outline did not:
 * then the points farthest from them are restored until no edges cross, all points are restored, or MAX_ROUNDS is
 * reached.
 */
export function simplifyRings(rings: Rings, tolerance: number): Rings {
  if (!(tolerance >= 0)) return rings.map((polygon) => polygon.map((ring) => ring.slice()));
  if (rings.some(isLine)) return rings.flatMap((polygon) => simplifyAlone(polygon, tolerance));
  const thinned = rings.map((polygon) => polygon.map((ring): Thinned => ({ ring, keep: thin(ring, tolerance) })));
  const all = thinned.flat();
  for (let round = 0; round < MAX_ROUNDS && uncross(all); round++);
  return thinned.map((polygon) => polygon.map(pointsOf));
}

/** Simplifies one polygon of a shape with lines. A line stays a line. Crossings between polygons are not removed. */
function simplifyAlone(polygon: Ring[], tolerance: number): Rings {
  const line = isLine(polygon) ? lineOf(polygon[0]!) : null;
  return line ? [[ringOfLine(simplifyLine(line, tolerance))]] : simplifyRings([polygon], tolerance);
}

function pointsOf({ ring, keep }: Thinned): Ring {
  const out: Ring = [];
  for (let i = 0; i < keep.length; i++) if (keep[i]) out.push(ring[2 * i]!, ring[2 * i + 1]!);
  return out;
}

/**
 * Returns an open line [x0, y0, x1, y1, …] with fewer points. No removed point is farther than `tolerance` from the new
 * line.
 */
export function simplifyLine(line: Ring, tolerance: number): Ring {
  const count = line.length >> 1;
  if (count <= 2 || !(tolerance >= 0)) return line.slice();
  const keep = new Uint8Array(count);
  keep[0] = 1;
  keep[count - 1] = 1;
  keepFarthest(line, keep, [0, count - 1], tolerance);
  return pointsOf({ ring: line, keep });
}

/** Returns 1 for each point of the ring that stays, 0 for the others. */
function thin(ring: Ring, tolerance: number): Uint8Array {
  const count = ring.length >> 1;
  const keep = new Uint8Array(count);
  if (count <= 3) return keep.fill(1);
  const start = farthestFrom(ring, 0);
  const turn = farthestFrom(ring, start);
  if (start === turn) return keep.fill(1, 0, 3);
  keep[start] = 1;
  keep[turn] = 1;
  const spare = keepFarthest(ring, keep, [start, turn, turn, start], tolerance);
  if (spare >= 0) keep[spare] = 1;
  return keep;
}

/**
 * Keeps the farthest point of each chain (from, to, from, to, …) if it is beyond the tolerance, and repeats this with
 * both halves. If no point is kept, returns the farthest of all points, otherwise -1.
 */
function keepFarthest(ring: Ring, keep: Uint8Array, chains: number[], tolerance: number): number {
  let spare = { vertex: -1, distance: -1 };
  let isAnyKept = false;
  while (chains.length > 0) {
    const to = chains.pop()!;
    const from = chains.pop()!;
    const middle = farthestBetween(ring, from, to);
    if (middle.vertex < 0) continue;
    if (middle.distance > tolerance) {
      keep[middle.vertex] = 1;
      isAnyKept = true;
      chains.push(from, middle.vertex, middle.vertex, to);
    } else if (middle.distance > spare.distance) spare = middle;
  }
  return isAnyKept ? -1 : spare.vertex;
}

/** Restores the points farthest from edges that cross. Returns true if there was a point to restore. */
function uncross(all: readonly Thinned[]): boolean {
  if (all.every(({ keep }) => keep.every((stays) => stays === 1))) return false;
  const lines = all.flatMap(linesOf);
  const segments = new Float64Array(4 * lines.length);
  lines.forEach(({ in: { ring }, from, to }, i) => {
    segments.set([ring[2 * from]!, ring[2 * from + 1]!, ring[2 * to]!, ring[2 * to + 1]!], 4 * i);
  });
  const crossing = new Set<number>();
  eachNearPair(segments, (a, b) => {
    if (cross(segments, a, b)) crossing.add(a).add(b);
    return false;
  });
  let isAnyRestored = false;
  for (const i of crossing) {
    const { in: thinned, from, to } = lines[i]!;
    const { vertex } = farthestBetween(thinned.ring, from, to);
    if (vertex < 0) continue;
    thinned.keep[vertex] = 1;
    isAnyRestored = true;
  }
  return isAnyRestored;
}

function linesOf(thinned: Thinned): { in: Thinned; from: number; to: number }[] {
  const kept: number[] = [];
  for (let i = 0; i < thinned.keep.length; i++) if (thinned.keep[i]) kept.push(i);
  return kept.map((from, i) => ({ in: thinned, from, to: kept[i + 1] ?? kept[0]! }));
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

/**
 * Returns the vertex between two others, going forward around the ring, that is farthest from the segment between them.
 */
function farthestBetween(ring: Ring, from: number, to: number): { vertex: number; distance: number } {
  const count = ring.length >> 1;
  const [x, y] = [ring[2 * from]!, ring[2 * from + 1]!];
  const [dx, dy] = [ring[2 * to]! - x, ring[2 * to + 1]! - y];
  const square = dx * dx + dy * dy;
  let vertex = -1;
  let most = -1;
  for (let i = from + 1 < count ? from + 1 : 0; i !== to; i = i + 1 < count ? i + 1 : 0) {
    const px = ring[2 * i]! - x;
    const py = ring[2 * i + 1]! - y;
    const along = px * dx + py * dy;
    const t = along <= 0 || square === 0 ? 0 : along >= square ? 1 : along / square;
    const distance = (px - t * dx) ** 2 + (py - t * dy) ** 2;
    if (distance > most) {
      most = distance;
      vertex = i;
    }
  }
  return { vertex, distance: Math.sqrt(most) };
}
