import { Clipper, ClipType, FillRule, type Path64, type Paths64, PolyTree64 } from "clipper2-ts";
import type { Ring, Rings } from "../entities/shape";
import { sharedArea } from "./checks/sharedArea";
import { ExactPoints, SCALE, toUnits, treeRings } from "./clipping";
import { areSimple } from "./isSimple";
import { openRing, ringBounds, ringContains, signedArea, turned } from "./ring";

/**
 * Returns the union of two shapes as polygons with holes in image pixels, without overlaps and self-crossings. Existing
 * points keep their exact positions; new ones have three decimals.
 */
export function unite(a: Rings, b: Rings): Rings {
  return operate(ClipType.Union, a, b);
}

/** Returns the first shape minus the second, in the same form. */
export function subtract(a: Rings, b: Rings): Rings {
  return operate(ClipType.Difference, a, b);
}

/** Shifts of the second shape, in thousandths of a pixel, for results that lack a part. */
const SHIFTS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/**
 * Outer paths have winding number +1, holes -1, so that a shape covers the points where the sum is above 0. Where edges
 * nearly coincide, the library sometimes loses a part of the result. The area that both shapes share reveals the loss,
 * and a shift of the second shape by 0.001 px prevents it.
 */
function operate(type: ClipType, a: Rings, b: Rings): Rings {
  const exact = new ExactPoints([...a, ...b]);
  const [ours, theirs] = [a.flatMap(clean), b.flatMap(clean)];
  const attempts = ours.length > 0 && theirs.length > 0 ? SHIFTS : SHIFTS.slice(0, 1);
  let found: Rings | undefined;
  for (const [dx, dy] of attempts) {
    const moved = dx || dy ? theirs.map((path) => path.map(({ x, y }) => ({ x: x + dx, y: y + dy }))) : theirs;
    const result = treeRings(treeOf(type, ours, moved));
    found ??= result;
    if (attempts.length > 1 && !isWhole(type, ours, moved, result)) continue;
    found = result;
    break;
  }
  return (found ?? []).map((polygon) => polygon.map((ring) => exact.restore(ring)));
}

function treeOf(type: ClipType, a: Paths64, b: Paths64): PolyTree64 {
  const tree = new PolyTree64();
  const [subject, clip] = type === ClipType.Union ? [[...a, ...b], []] : [a, b];
  Clipper.booleanOpWithPolyTree(type, subject, clip, tree, FillRule.Positive);
  return tree;
}

/**
 * Returns true if a result has the expected area: for a union, that of both shapes minus the area that they share; for
 * a difference, that of the first shape minus the area that they share.
 */
function isWhole(type: ClipType, a: Paths64, b: Paths64, result: Rings): boolean {
  const area = result.flat().reduce((sum, ring) => sum + signedArea(ring), 0);
  const isSum = (ofA: number, ofB: number, shared: number) => {
    const wanted = type === ClipType.Union ? ofA + ofB - shared : ofA - shared;
    return Math.abs(area - wanted) <= slackOf(a) + slackOf(b);
  };
  const quick = sharedArea(a, b);
  if (quick !== undefined && isSum(areaOf(a), areaOf(b), quick / SCALE ** 2)) return true;
  const shared = areaOf(Clipper.intersect(a, b, FillRule.Positive));
  if (isSum(areaOf(a), areaOf(b), shared)) return true;
  // Polygons of one shape that overlap count once.
  return isSum(areaOf(Clipper.union(a, FillRule.Positive)), areaOf(Clipper.union(b, FillRule.Positive)), shared);
}

const areaOf = (paths: Paths64): number => paths.reduce((sum, path) => sum + Clipper.area(path), 0) / SCALE ** 2;

/** Returns the area in square pixels by which rounding may change paths: no point moves by more than a unit. */
function slackOf(paths: Paths64): number {
  let length = 0;
  for (const path of paths)
    for (const [i, { x, y }] of path.entries()) length += Math.hypot(x - path.at(i - 1)!.x, y - path.at(i - 1)!.y);
  return 0.01 + length / SCALE ** 2;
}

/** Returns a polygon without self-crossings. Most have none and are used as they are. */
function clean([outer = [], ...holes]: Ring[]): Paths64 {
  const body = inUnits(outer);
  const gaps = holes.map(inUnits).filter((gap) => gap.length >= 6);
  if (areSimple([body, ...gaps]) && areHoles(gaps, body))
    return [pathOf(turned(body, true)), ...gaps.map((gap) => pathOf(turned(gap, false)))];
  const rest = gaps.flatMap(untangle);
  return rest.length === 0 ? untangle(body) : Clipper.difference(untangle(body), rest, FillRule.NonZero);
}

/** Returns the inside of a ring by the even-odd rule. Skips short rings, since the library fails on empty paths. */
function untangle(units: Ring): Paths64 {
  return units.length < 6 ? [] : Clipper.union([pathOf(units)], FillRule.EvenOdd);
}

/** Returns true if the gaps are inside the body and outside each other. No two of these rings may touch. */
function areHoles(gaps: readonly Ring[], body: Ring): boolean {
  const boxes = Float64Array.from(gaps.flatMap(ringBounds));
  return gaps.every((gap, own) => {
    const [x = 0, y = 0] = gap;
    const isInGap = (other: Ring, i: number) =>
      i !== own &&
      x >= boxes[4 * i]! &&
      y >= boxes[4 * i + 1]! &&
      x <= boxes[4 * i]! + boxes[4 * i + 2]! &&
      y <= boxes[4 * i + 1]! + boxes[4 * i + 3]! &&
      ringContains(other, x, y);
    return ringContains(body, x, y) && !gaps.some(isInGap);
  });
}

const inUnits = (ring: Ring): Ring => openRing(ring.map(toUnits));

function pathOf(units: Ring): Path64 {
  const path: Path64 = [];
  for (let i = 0; i + 1 < units.length; i += 2) path.push({ x: units[i]!, y: units[i + 1]! });
  return path;
}
