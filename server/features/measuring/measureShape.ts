import { measureWithLines } from "../../../shared/coco/measure";
import { RleError, runsOf } from "../../../shared/coco/rle";
import { areaOf, bboxOf } from "../../../shared/coco/runs";
import type { Measurable, Measured } from "./question";

/**
 * Measures a shape as the reference COCO mask code does, but lines by their points. Returns the problem if the shape
 * cannot be measured.
 */
export function measureShape(shape: Measurable): Measured {
  try {
    if ("rings" in shape) return measureWithLines(shape.rings, shape.width, shape.height);
    const runs = runsOf(shape.rle);
    return { area: areaOf(runs), bbox: bboxOf(runs, shape.rle.size[0]) };
  } catch (error) {
    if (error instanceof RangeError || error instanceof RleError) return { problem: error.message };
    throw error;
  }
}
