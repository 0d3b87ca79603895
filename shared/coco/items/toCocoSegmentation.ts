import type { SegmentationForm } from "../../entities/export";
import type { Bbox, Ring, Rle, Shape } from "../../entities/shape";
import { isOnlyLines } from "../../geometry/lines/line";
import { cutHoles } from "../cutHoles";
import { shapeRings } from "../measure";
import { toRle } from "../rle";
import { toSegmentation } from "../segmentation";
import { shapeRuns } from "../shapeRuns";

/**
 * Request to convert a stored shape to the segmentation of a COCO file. `width` and `height` are those of the image, in
 * pixels.
 */
export interface SegmentationRequest {
  shape: NonNullable<Shape>;
  bbox: Bbox;
  isbbox: boolean;
  iscrowd: boolean;
  width: number;
  height: number;
  form: SegmentationForm | undefined;
}

/**
 * Converts a stored shape to the segmentation of a COCO file, in the requested form. A shape that cannot be converted
 * to that form (its mask has too many pieces, or its outline crosses too many columns) is written in its own form.
 */
export function toCocoSegmentation(request: SegmentationRequest): Ring[] | Rle | null {
  try {
    // A line has no mask.
    const isLines =
      !("counts" in request.shape) && isOnlyLines(shapeRings(request.shape, request.bbox, request.isbbox));
    if (request.form === "rle" && !isLines) return asRle(request);
    if (request.form === "polygon") return asPolygons(request);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return toSegmentation(request.shape, request.iscrowd, request.width, request.height);
}

/** Returns an RLE as it is stored. Other shapes become a compressed RLE, or an uncompressed one if they are crowds. */
function asRle({ shape, bbox, isbbox, iscrowd, width, height }: SegmentationRequest): Rle | null {
  if (!Array.isArray(shape) && "counts" in shape) return shape;
  const runs = shapeRuns(shape, bbox, isbbox, width, height);
  return runs ? toRle(runs, height, width, !iscrowd) : null;
}

function asPolygons({ shape, bbox, isbbox, width, height }: SegmentationRequest): Ring[] {
  return Array.isArray(shape) ? shape : cutHoles(shapeRings(shape, bbox, isbbox), width, height);
}
