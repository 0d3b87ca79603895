import { keypointBbox, shapeRings } from "../../../../shared/coco/measure";
import { same } from "../../../../shared/edits/same";
import type { Annotation } from "../../../../shared/entities/annotation";
import type { Keypoint } from "../../../../shared/entities/keypoint";
import type { Bbox, Rings, Rle, Shape } from "../../../../shared/entities/shape";
import { oncePerLabel } from "../../../../shared/rules/keypointTriples";
import type { AnnotationRow } from "../../../db/schema";
import { measured as measuredShape } from "../../measuring/measuring";
import { traced } from "../../measuring/tracing";

/** A stored shape, interpreted. Coordinates in image pixels from the top left. */
type Shaped = Pick<AnnotationRow, "shape" | "bbox" | "isbbox">;

export const isRle = (shape: Shape): shape is Rle => shape !== null && !Array.isArray(shape) && "counts" in shape;

/** The polygons that clients are told; null for an RLE, which they get as it is. Box-only gives its rectangle. */
export function sentRings({ shape, bbox, isbbox }: Shaped): Rings | null {
  return isRle(shape) ? null : shapeRings(shape, bbox, isbbox);
}

/**
 * Returns the polygons that the single calls and older clients see of a shape, a mask's along its pixel edges. None of a
 * mask whose outline is longer than any annotation's may be: those who want it have the mask itself. Throws NeedsMeasuring
 * on a long mask that was not traced before.
 */
export function shownRings({ shape, bbox, isbbox }: Shaped): Rings {
  return isRle(shape) ? (traced(shape) ?? []) : shapeRings(shape, bbox, isbbox);
}

/** The annotation as our own client holds it. */
export function annotationOf(row: AnnotationRow): Annotation {
  return {
    uuid: row.uuid,
    id: row.id,
    image_id: row.image_id,
    category_id: row.category_id,
    revision: row.revision,
    rings: sentRings(row),
    rle: isRle(row.shape) ? row.shape : null,
    isbbox: row.isbbox,
    iscrowd: row.iscrowd,
    color: row.color,
    metadata: row.metadata,
    keypoints: row.keypoints && oncePerLabel(row.keypoints),
    area: row.area,
    bbox: row.bbox,
    creator: row.creator_name,
  };
}

/**
 * Returns shape, area and box of polygons in an image of `width` x `height` pixels, as the reference COCO mask code
 * measures them. Without polygons the box is the keypoints'. Throws a RangeError on an outline that cannot be measured,
 * and NeedsMeasuring on a heavy one that was not measured before.
 */
export function measured(
  rings: Rings,
  keypoints: readonly Keypoint[] | null,
  { width, height }: { width: number; height: number },
): { shape: Shape; area: number; bbox: Bbox } {
  if (isEmpty(rings)) return { shape: null, area: 0, bbox: keypointBbox(keypoints ?? []) };
  const found = measuredShape({ rings, width, height });
  if ("problem" in found) throw new RangeError(found.problem);
  return { shape: { rings }, ...found };
}

/** True if nothing is drawn: there are no rings, or none with points. */
export const isEmpty = (rings: Rings): boolean => rings.every((polygon) => polygon.every((ring) => ring.length === 0));

export const sameShape = (row: Shaped, rings: Rings | null, isbbox: boolean): boolean =>
  row.isbbox === isbbox && same(sentRings(row), rings);
