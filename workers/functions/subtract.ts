import { subtract as subtractRings } from "../../shared/geometry/boolean";
import { type PackedRings, packRings, unpackRings } from "../../shared/geometry/packed";

/** What lies in the first shape and not in the second, as polygons with holes in image pixels. */
export function subtract(a: PackedRings, b: PackedRings): PackedRings {
  return packRings(subtractRings(unpackRings(a), unpackRings(b)));
}
