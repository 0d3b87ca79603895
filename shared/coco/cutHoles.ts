import type { Ring, Rings } from "../entities/shape";
import { openRing, translateRing, turned, walkRing } from "../geometry/ring";
import { mergeRuns, polygonsToRle, type Runs, ringsToRle, sameRuns } from "./mask";
import { traceRuns } from "./trace";

/**
 * Returns polygons without holes that together rasterise to the same mask as polygons with holes. A polygon without
 * holes stays as it is. A polygon with holes is cut in two through all its holes, along lines between its own points.
 * If the halves do not give the same mask, the mask is traced along the pixel edges in strips that leave no hole
 * closed.
 */
export function cutHoles(rings: Rings, width: number, height: number): Ring[] {
  return rings.flatMap((polygon) => {
    const [outer, ...holes] = polygon;
    if (!outer || holes.length === 0) return polygon;
    const runs = ringsToRle([polygon], width, height);
    const asMask = (pieces: Ring[]) => polygonsToRle(pieces, width, height);
    const isSame = (pieces: Ring[]) => sameRuns(asMask(pieces), runs);
    if (isSame([outer])) return [outer];
    for (const axis of [0, 1] as const) {
      const halves = splitThroughHoles(outer, holes, axis);
      if (halves.length > 0 && isSame(halves)) return halves;
    }
    return traceInStrips(runs, width, height);
  });
}

/**
 * Returns the two halves of a polygon that is cut from its outline to the first hole, on to the next, and back to the
 * outline, in ascending order along an axis (0 = x, 1 = y). An edge shared by both halves toggles the mask in both in
 * the same way, so that together they fill the polygon exactly unless a cut crosses an outline, which the caller must
 * check. Empty if there is no cut.
 */
function splitThroughHoles(outer: Ring, holes: readonly Ring[], axis: 0 | 1): Ring[] {
  const outline = turned(openRing(outer), true);
  const stations = holes
    .map((hole) => turned(openRing(hole), false))
    .filter((hole) => hole.length >= 6)
    .map((hole) => ({ hole, entry: extreme(hole, axis, -1), exit: extreme(hole, axis, 1) }))
    .sort((a, b) => a.hole[2 * a.entry + axis]! - b.hole[2 * b.entry + axis]!);
  const first = stations[0];
  const last = stations[stations.length - 1];
  if (!first || !last) return [];
  const start = nearestBeyond(outline, axis, -1, first.hole, first.entry);
  const end = nearestBeyond(outline, axis, 1, last.hole, last.exit);
  if (start < 0 || end < 0 || start === end) return [];
  const there = stations.flatMap(({ hole, entry, exit }) => walkRing(hole, entry, exit));
  const back = stations.toReversed().flatMap(({ hole, entry, exit }) => walkRing(hole, exit, entry));
  return [
    [...walkRing(outline, start, end), ...back],
    [...walkRing(outline, end, start), ...there],
  ];
}

/** Returns the index of the vertex that is farthest along the axis or, with sign -1, in the opposite direction. */
function extreme(ring: Ring, axis: 0 | 1, sign: 1 | -1): number {
  let best = 0;
  for (let i = 1; i < ring.length >> 1; i++) if (sign * (ring[2 * i + axis]! - ring[2 * best + axis]!) > 0) best = i;
  return best;
}

/**
 * Returns the index of the outline's vertex nearest to a hole's vertex, among those beyond it along the axis (before
 * it, if sign is -1); -1 if there is none.
 */
function nearestBeyond(outline: Ring, axis: 0 | 1, sign: 1 | -1, hole: Ring, vertex: number): number {
  const x = hole[2 * vertex]!;
  const y = hole[2 * vertex + 1]!;
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < outline.length >> 1; i++) {
    if (sign * (outline[2 * i + axis]! - hole[2 * vertex + axis]!) < 0) continue;
    const distance = Math.hypot(outline[2 * i]! - x, outline[2 * i + 1]! - y);
    if (distance >= least) continue;
    least = distance;
    best = i;
  }
  return best;
}

/**
 * Returns outlines without holes that together cover a mask. An outline with holes is cut along pixel columns, one
 * through each hole.
 */
function traceInStrips(runs: Runs, width: number, height: number): Ring[] {
  return traceRuns(runs, width, height).flatMap((polygon) => {
    const [outer, ...holes] = polygon;
    if (!outer || holes.length === 0) return polygon;
    const own = ringsToRle([polygon], width, height);
    return stripsThrough(holes, width).flatMap(([from, to]) =>
      traceInStrips(columnsOf(own, from, to, height), to - from, height).map((ring) => translateRing(ring, from, 0)),
    );
  });
}

/** Returns the columns [from, to) of the fewest strips whose borders touch or cross every hole. */
function stripsThrough(holes: readonly Ring[], width: number): [from: number, to: number][] {
  const spans = holes.map((hole) => {
    const xs = hole.filter((_, i) => i % 2 === 0);
    return { left: xs.reduce((a, b) => Math.min(a, b)), right: xs.reduce((a, b) => Math.max(a, b)) };
  });
  const strips: [number, number][] = [];
  let border = 0;
  for (const { left, right } of spans.sort((a, b) => a.right - b.right)) {
    if (left <= border && border > 0) continue;
    strips.push([border, right]);
    border = right;
  }
  strips.push([border, width]);
  return strips;
}

/** Returns the part of a mask in the columns [from, to). */
function columnsOf(runs: Runs, from: number, to: number, height: number): Runs {
  const [start, end] = [from * height, to * height];
  const part: Runs = [];
  let position = 0;
  for (const length of runs) {
    const inside = Math.min(position + length, end) - Math.max(position, start);
    position += length;
    part.push(Math.max(0, inside));
    if (position >= end) break;
  }
  return mergeRuns([part, [(to - from) * height]], "union");
}
