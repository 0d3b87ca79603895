import { turned } from "../../../../shared/geometry/ring";

/** Polygons as they are painted: an outer ring, then its holes; a worker has them as typed arrays. Any unit. */
export type PaintedRings = readonly (readonly ArrayLike<number>[])[];

/** Paths that fill polygons, and the fill rule. */
export interface Filling {
  rings: readonly ArrayLike<number>[];
  rule: CanvasFillRule;
}

const kept = new WeakMap<PaintedRings, Filling>();

/**
 * Plans how to fill polygons as one area: holes stay bare, overlaps do not. A single polygon is filled by the even-odd
 * rule, as what lies inside of it is told (ringContains). Several are filled where rings do not cancel out: outer rings
 * run clockwise, holes the other way.
 */
export function fillingOf(polygons: PaintedRings): Filling {
  if (polygons.length <= 1) return { rings: polygons[0] ?? [], rule: "evenodd" };
  const known = kept.get(polygons);
  if (known) return known;
  const rings = polygons.flatMap((polygon) => polygon.map((ring, i) => turned(ring, i === 0)));
  const filling: Filling = { rings, rule: "nonzero" };
  kept.set(polygons, filling);
  return filling;
}
