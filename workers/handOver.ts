import { transfer } from "comlink";
import { buffersOf, type PackedRings } from "../shared/geometry/packed";

/** An answer whose memory moves to the page instead of being copied. */
export function handOver(rings: PackedRings): PackedRings {
  return transfer(rings, buffersOf(rings));
}
