import { shapeRings } from "../../../shared/coco/measure";
import { TooManyCorners } from "../../../shared/coco/trace";
import { MAX_COORDINATES } from "../../../shared/constants";
import type { Rings, Rle } from "../../../shared/entities/shape";

/** Traces a mask along its pixel edges. Returns null if the outline has more corners than an annotation may have. */
export function outlineOf(rle: Rle): Rings | null {
  try {
    return shapeRings(rle, [0, 0, 0, 0], false, MAX_COORDINATES / 2);
  } catch (error) {
    if (error instanceof TooManyCorners) return null;
    throw error;
  }
}
