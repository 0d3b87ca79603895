import { unite as uniteRings } from "../../shared/geometry/boolean";
import { type PackedRings, packRings, unpackRings } from "../../shared/geometry/packed";

/** What lies in either of two shapes, as polygons with holes in image pixels. */
export function unite(a: PackedRings, b: PackedRings): PackedRings {
  return packRings(uniteRings(unpackRings(a), unpackRings(b)));
}
