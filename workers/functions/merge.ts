import { mergeShapes } from "../../shared/geometry/operations/merge";
import { type PackedRings, packRings, unpackRings } from "../../shared/geometry/packed";

/** Returns the union of several shapes, given one after another, as polygons with holes in image pixels. */
export function merge(shapes: PackedRings): PackedRings {
  return packRings(mergeShapes([unpackRings(shapes)]));
}
