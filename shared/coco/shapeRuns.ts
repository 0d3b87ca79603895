import type { Bbox, Shape } from "../entities/shape";
import { polygonsToRle, type Runs, ringsToRle } from "./mask";
import { boxRing } from "./measure";
import { runsOf } from "./rle";

/**
 * Returns the mask of a stored shape in an image of `width` x `height`, as the reference COCO mask code computes it, or
 * of the box if the annotation has only a box. Undefined if it has neither. Throws an RleError as `runsOf` does and a
 * RangeError as `ringsToRle` does.
 */
export function shapeRuns(shape: Shape, bbox: Bbox, isbbox: boolean, width: number, height: number): Runs | undefined {
  if (shape === null) return isbbox ? polygonsToRle([boxRing(bbox)], width, height) : undefined;
  if (Array.isArray(shape)) return polygonsToRle(shape, width, height);
  return "rings" in shape ? ringsToRle(shape.rings, width, height) : runsOf(shape);
}
