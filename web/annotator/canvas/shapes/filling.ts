import { turned } from "../../../../shared/geometry/ring";

/** Polygons to paint, each an outer ring and its holes, in any unit. In the worker, rings are typed arrays. */
export type PaintedRings = readonly (readonly ArrayLike<number>[])[];

/** Rings to fill polygons with, and the fill rule. */
export interface Filling {
  rings: readonly ArrayLike<number>[];
  rule: CanvasFillRule;
}

const cache = new WeakMap<PaintedRings, Filling>();

/**
 * Returns the rings and the rule that fill polygons as one area, with holes left empty and overlaps filled. A single
 * polygon is filled by the even-odd rule, like the hit test (ringContains). Several polygons are filled by the nonzero
 * rule, with outer rings turned clockwise and holes counterclockwise.
 */
export function fillingOf(polygons: PaintedRings): Filling {
  if (polygons.length <= 1) return { rings: polygons[0] ?? [], rule: "evenodd" };
  const known = cache.get(polygons);
  if (known) return known;
  const rings = polygons.flatMap((polygon) => polygon.map((ring, i) => turned(ring, i === 0)));
  const filling: Filling = { rings, rule: "nonzero" };
  cache.set(polygons, filling);
  return filling;
}
