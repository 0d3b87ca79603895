import { Clipper, ClipType, FillRule, type Paths64, PolyTree64 } from "clipper2-ts";
import type { Ring, Rings } from "../entities/shape";
import { toPath, treeRings } from "./clipping";

/** What lies in either shape, as polygons with holes in image pixels. Overlaps and self-crossings are resolved. */
export function unite(a: Rings, b: Rings): Rings {
  return operate(ClipType.Union, [...clean(a), ...clean(b)], []);
}

/** What lies in the first shape and not in the second, as polygons with holes in image pixels. */
export function subtract(a: Rings, b: Rings): Rings {
  return operate(ClipType.Difference, clean(a), clean(b));
}

/** Each polygon made free of crossings by itself: outer rings wind +1, holes -1, so that their sum is > 0 in the union. */
function clean(rings: Rings): Paths64 {
  return rings.flatMap(([outer, ...holes]) => {
    const body = untangle(outer ?? []);
    const gaps = holes.flatMap(untangle);
    return gaps.length === 0 ? body : Clipper.difference(body, gaps, FillRule.NonZero);
  });
}

/** The inside of one ring by the even-odd rule. The library fails on a path without points, so short ones end here. */
function untangle(ring: Ring): Paths64 {
  return ring.length < 6 ? [] : Clipper.union([toPath(ring)], FillRule.EvenOdd);
}

function operate(type: ClipType, subject: Paths64, clip: Paths64): Rings {
  const tree = new PolyTree64();
  Clipper.booleanOpWithPolyTree(type, subject, clip, tree, FillRule.NonZero);
  return treeRings(tree);
}
