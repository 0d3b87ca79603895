import { type PackedRings, packRings, unpackRings } from "../../shared/geometry/packed";
import { simplifyRings } from "../../shared/geometry/simplify";

/**
 * Returns outlines with fewer points. No removed point is farther than `tolerance` image pixels from the new outline.
 */
export function simplify(rings: PackedRings, tolerance: number): PackedRings {
  return packRings(simplifyRings(unpackRings(rings), tolerance));
}
