import type { Ring, Rings, Rle, Shape } from "../entities/shape";
import { ringsToRle } from "./mask";
import { toRle } from "./rle";

/**
 * Returns what a COCO file says of a shape in an image of `width` x `height`. What came from a file goes out as it came.
 * A drawn shape goes out as a list of polygons, with a hole as a compressed RLE, and as a crowd as an uncompressed one;
 * as a list of its rings where its mask is too long for an RLE (ringsToRle). Null: the annotation has no segmentation.
 */
export function toSegmentation(shape: Shape, iscrowd: boolean, width: number, height: number): Ring[] | Rle | null {
  if (shape === null || Array.isArray(shape) || !("rings" in shape)) return shape;
  const { rings } = shape;
  if (!iscrowd && !hasHole(rings)) return flatRings(rings);
  try {
    return toRle(ringsToRle(rings, width, height), height, width, !iscrowd);
  } catch (error) {
    if (error instanceof RangeError) return flatRings(rings);
    throw error;
  }
}

export function hasHole(rings: Rings): boolean {
  return rings.some((polygon) => polygon.length > 1);
}

/** One flat list for each ring, holes among them, as the annotator calls show a shape. */
export function flatRings(rings: Rings): Ring[] {
  return rings.flat();
}
