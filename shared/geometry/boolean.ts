import { Clipper, ClipType, FillRule, type Path64, type Paths64, PolyTree64 } from "clipper2-ts";
import type { Ring, Rings } from "../entities/shape";
import { ExactPoints, toUnits, treeRings } from "./clipping";
import { areSimple } from "./isSimple";
import { openRing, ringBounds, ringContains, turned } from "./ring";

/**
 * Returns the union of two shapes as polygons with holes in image pixels, without overlaps and self-crossings. Existing
 * points keep their exact positions; new ones have three decimals.
 */
export function unite(a: Rings, b: Rings): Rings {
  return operate(ClipType.Union, [...a, ...b], []);
}

/** Returns the first shape minus the second, in the same form. */
export function subtract(a: Rings, b: Rings): Rings {
  return operate(ClipType.Difference, a, b);
}

/** Outer paths have winding number +1, holes -1, so that a shape covers the points where the sum is above 0. */
function operate(type: ClipType, subject: Rings, clip: Rings): Rings {
  const exact = new ExactPoints([...subject, ...clip]);
  const tree = new PolyTree64();
  Clipper.booleanOpWithPolyTree(type, subject.flatMap(clean), clip.flatMap(clean), tree, FillRule.Positive);
  return treeRings(tree).map((polygon) => polygon.map((ring) => exact.restore(ring)));
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
