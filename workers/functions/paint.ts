import { type PackedRings, packRings, unpackRings } from "../../shared/geometry/packed";
import { type PaintOptions, paint as paintRings, type Stroke } from "../../shared/geometry/stroke";

/** Adds a brush stroke to a shape or erases it. Returns polygons with holes in image pixels. */
export function paint(shape: PackedRings, stroke: Stroke, options: PaintOptions): PackedRings {
  return packRings(paintRings(unpackRings(shape), stroke, options));
}
