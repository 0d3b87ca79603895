import { smoothRings } from "../../shared/geometry/operations/smooth";
import { type PackedRings, packRings, unpackRings } from "../../shared/geometry/packed";

/** Returns outlines with fewer points and rounded corners, within `tolerance` image pixels of the old ones. */
export function smooth(rings: PackedRings, tolerance: number): PackedRings {
  return packRings(smoothRings(unpackRings(rings), tolerance));
}
