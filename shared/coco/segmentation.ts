import type { Ring, Rings, Rle, Shape } from "../entities/shape";
import { ringsToRle } from "./mask";
import { toRle } from "./rle";

/**
 * Returns a COCO file's segmentation for a shape in an image of `width` x `height`. An imported shape is written as it
 * was imported. A drawn shape is written as a list of polygons, as a compressed RLE if it has holes, as an uncompressed
 * RLE if it is a crowd, and as a list of its rings if its mask is too long for an RLE (ringsToRle). Null if the
 * annotation has no segmentation.
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

/** Returns one flat list for each ring, including holes, as the annotator's calls return a shape. */
export function flatRings(rings: Rings): Ring[] {
  return rings.flat();
}
