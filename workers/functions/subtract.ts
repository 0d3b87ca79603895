import { combine } from "../../shared/geometry/combine";
import { type PackedRings, packRings, unpackRings } from "../../shared/geometry/packed";

/** Returns the first shape minus the second, as polygons with holes in image pixels. */
export function subtract(a: PackedRings, b: PackedRings): PackedRings {
  return packRings(combine("subtract", unpackRings(a), unpackRings(b)));
}
