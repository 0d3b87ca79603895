import type { Ring } from "../../shared/entities/shape";
import { splitShape } from "../../shared/geometry/operations/split";
import { type PackedRings, packRings, unpackRings } from "../../shared/geometry/packed";

/** Returns the parts into which a line cuts a shape, the largest first. All coordinates are image pixels. */
export function split(shape: PackedRings, line: Ring): PackedRings[] {
  return splitShape(unpackRings(shape), line).map(packRings);
}
