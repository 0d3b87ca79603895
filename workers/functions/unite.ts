import { combine } from "../../shared/geometry/combine";
import { type PackedRings, packRings, unpackRings } from "../../shared/geometry/packed";

/** Returns the union of two shapes, as polygons with holes in image pixels. */
export function unite(a: PackedRings, b: PackedRings): PackedRings {
  return packRings(combine("unite", unpackRings(a), unpackRings(b)));
}
