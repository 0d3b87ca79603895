import type { Ring, Rings } from "../../../shared/entities/shape";

/** Returns polygons as indices of their ring objects in a list. */
export function placesOf(rings: readonly Ring[], polygons: Rings): number[][] {
  const places = new Map(rings.map((ring, place) => [ring, place]));
  return polygons.map((polygon) => polygon.map((ring) => places.get(ring) ?? 0));
}
