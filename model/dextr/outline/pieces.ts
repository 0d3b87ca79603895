import type { Ring, Rings } from "../../../shared/entities/shape";
import { nest } from "../../../shared/geometry/polygons";
import { nearestOnOutline, ringContains, signedArea } from "../../../shared/geometry/ring";
import { HOLE_MIN, PIECE_MIN } from "../base/recipe";
import type { Point } from "../base/request";

interface Places {
  /** Points in or on the object. */
  points: readonly Point[];
  /** Points that are not in the object. */
  removed: readonly Point[];
}

/**
 * Selects the rings (clockwise, holes counterclockwise) that form the object: large pieces, and small pieces that
 * contain a point or are within `reach` of one. Small holes are filled, except around a removed point. Returns polygons
 * with holes. Rings, points and reach have the same unit.
 */
export function pieces(rings: readonly Ring[], { points, removed }: Places, reach: number): Rings {
  const areas = new Map(rings.map((ring) => [ring, signedArea(ring)]));
  const areaOf = (ring: Ring) => areas.get(ring) ?? 0;
  const largest = rings.reduce((most, ring) => Math.max(most, areaOf(ring)), 0);
  const isPiece = (ring: Ring) =>
    areaOf(ring) > 0 && (areaOf(ring) >= PIECE_MIN * largest || isNear(ring, points, reach));
  const isHole = (ring: Ring) =>
    areaOf(ring) < 0 && (areaOf(ring) <= -HOLE_MIN * largest || removed.some(([x, y]) => ringContains(ring, x, y)));
  // Rings inside a removed piece or hole have the wrong direction after nesting, and are dropped.
  return nest(rings.filter((ring) => isPiece(ring) || isHole(ring)))
    .filter(([outer]) => areaOf(outer!) > 0)
    .map(([outer, ...holes]) => [outer!, ...holes.filter((hole) => areaOf(hole) < 0)]);
}

function isNear(ring: Ring, points: readonly Point[], reach: number): boolean {
  return points.some(
    ([x, y]) => ringContains(ring, x, y) || (nearestOnOutline(ring, x, y)?.distance ?? reach + 1) <= reach,
  );
}
