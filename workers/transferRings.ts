import { transfer } from "comlink";
import { buffersOf, type PackedRings } from "../shared/geometry/packed";

/** Marks a result so that its memory is transferred to the page instead of copied. Returns it. */
export function transferRings(rings: PackedRings): PackedRings {
  return transfer(rings, buffersOf(rings));
}
