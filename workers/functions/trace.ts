import { runsOf } from "../../shared/coco/rle";
import { traceRuns } from "../../shared/coco/trace";
import type { Rle } from "../../shared/entities/shape";
import { type PackedRings, packRings } from "../../shared/geometry/packed";

/**
 * Returns the outline of a mask for display: polygons with holes along the pixel edges, in image pixels. Throws on a
 * malformed encoding.
 */
export function trace(rle: Rle): PackedRings {
  const [height, width] = rle.size;
  return packRings(traceRuns(runsOf(rle), width, height));
}
