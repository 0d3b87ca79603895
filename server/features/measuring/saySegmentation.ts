import { cutHoles } from "../../../shared/coco/cutHoles";
import { shapeRings } from "../../../shared/coco/measure";
import { toRle } from "../../../shared/coco/rle";
import { toSegmentation } from "../../../shared/coco/segmentation";
import { shapeRuns } from "../../../shared/coco/shapeRuns";
import type { Ring, Rle } from "../../../shared/entities/shape";
import type { Said } from "./question";

/**
 * Returns what a COCO file says of a shape in the wanted form. A shape that cannot be had in it (its mask has too many
 * pieces, or crosses the image too often) goes out as it is.
 */
export function saySegmentation(said: Said): Ring[] | Rle | null {
  try {
    if (said.form === "rle") return asRle(said);
    if (said.form === "polygon") return asPolygons(said);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return toSegmentation(said.shape, said.iscrowd, said.width, said.height);
}

/** Keeps the form of an RLE; other shapes get the compressed form, crowds the uncompressed one. */
function asRle({ shape, bbox, isbbox, iscrowd, width, height }: Said): Rle | null {
  if (!Array.isArray(shape) && "counts" in shape) return shape;
  const runs = shapeRuns(shape, bbox, isbbox, width, height);
  return runs ? toRle(runs, height, width, !iscrowd) : null;
}

function asPolygons({ shape, bbox, isbbox, width, height }: Said): Ring[] {
  return Array.isArray(shape) ? shape : cutHoles(shapeRings(shape, bbox, isbbox), width, height);
}
