import { keypointBbox, shapeRings } from "../../../../shared/coco/measure";
import { same } from "../../../../shared/edits/same";
import type { Annotation } from "../../../../shared/entities/annotation";
import type { Keypoint } from "../../../../shared/entities/keypoint";
import type { Bbox, Rings, Rle, Shape } from "../../../../shared/entities/shape";
import { oncePerLabel } from "../../../../shared/rules/keypointTriples";
import type { AnnotationRow } from "../../../db/schema";
import { measured as measuredShape } from "../../measuring/measuring";
import { traced } from "../../measuring/tracing";

/** Columns that describe a stored shape. Coordinates are in image pixels from the top left. */
type Shaped = Pick<AnnotationRow, "shape" | "bbox" | "isbbox">;

export const isRle = (shape: Shape): shape is Rle => shape !== null && !Array.isArray(shape) && "counts" in shape;

/**
 * Returns the polygons sent to clients; null for an RLE, which is sent as it is. A box without shape is a rectangle.
 */
export function sentRings({ shape, bbox, isbbox }: Shaped): Rings | null {
  return isRle(shape) ? null : shapeRings(shape, bbox, isbbox);
}

/**
 * Returns a shape's polygons for the single annotation calls and older clients; a mask is traced along its pixel edges.
 * Returns an empty list for a mask whose outline exceeds the limit for annotations; clients can use the mask itself.
 * Throws NeedsMeasuring for a long mask that has not been traced yet.
 */
export function shownRings({ shape, bbox, isbbox }: Shaped): Rings {
  return isRle(shape) ? (traced(shape) ?? []) : shapeRings(shape, bbox, isbbox);
}

/** Returns the annotation as Limn's own client receives it. */
export function annotationOf(row: AnnotationRow): Annotation {
  // Scenes that are sent as texts have the keys in the same order (../../scene/annotationText.ts). Each key is named,
  // since copying the rest of an object takes many times longer, and a batch makes hundreds of annotations.
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
    attributes: row.attributes ?? {},
    keypoints: row.keypoints && oncePerLabel(row.keypoints),
    area: row.area,
    bbox: row.bbox,
    creator: row.creator_name,
  };
}

export function annotationWithoutShape(row: Omit<AnnotationRow, "shape">): Omit<Annotation, "rings" | "rle"> {
  return {
    uuid: row.uuid,
    id: row.id,
    image_id: row.image_id,
    category_id: row.category_id,
    revision: row.revision,
    isbbox: row.isbbox,
    iscrowd: row.iscrowd,
    color: row.color,
    metadata: row.metadata,
    attributes: row.attributes ?? {},
    keypoints: row.keypoints && oncePerLabel(row.keypoints),
    area: row.area,
    bbox: row.bbox,
    creator: row.creator_name,
  };
}

/**
 * Returns shape, area and box of polygons in an image of `width` x `height` pixels, computed as in the reference COCO
 * mask code. Without polygons, the box is that of the keypoints. Throws a RangeError for an outline that cannot be
 * measured, and NeedsMeasuring if a heavy outline has not been measured yet.
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

/** Returns true if there are no rings or all rings are empty. */
export const isEmpty = (rings: Rings): boolean => rings.every((polygon) => polygon.every((ring) => ring.length === 0));

export const sameShape = (row: Shaped, rings: Rings | null, isbbox: boolean): boolean =>
  row.isbbox === isbbox && same(sentRings(row), rings);
