import { type PackedRings, packRings, unpackRings } from "../../shared/geometry/packed";
import { type PaintOptions, paint as paintRings, type Stroke } from "../../shared/geometry/stroke";

/** A shape with a brush stroke united with it or taken from it, as polygons with holes in image pixels. */
export function paint(shape: PackedRings, stroke: Stroke, options: PaintOptions): PackedRings {
  return packRings(paintRings(unpackRings(shape), stroke, options));
}
