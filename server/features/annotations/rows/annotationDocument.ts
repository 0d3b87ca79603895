import type { AnnotationDocument } from "../../../../shared/api/annotation";
import { flatRings } from "../../../../shared/coco/segmentation";
import type { KeypointDefinition } from "../../../../shared/entities/keypoint";
import {
  countLabeledKeypoints,
  EXTRA_KEYPOINTS_KEY,
  oncePerLabel,
  toTriples,
} from "../../../../shared/rules/keypointTriples";
import type { AnnotationRow, ImageRow } from "../../../db/schema";
import { isRle, shownRings } from "./annotationRow";

type AnnotatedImage = Pick<ImageRow, "dataset_id" | "width" | "height">;

/**
 * Returns an annotation as the single annotation calls and older clients receive it. Coordinates are in image pixels
 * from the top left. Throws NeedsMeasuring for a long mask that has not been traced yet.
 */
export function annotationDocument(
  row: AnnotationRow,
  { dataset_id, width, height }: AnnotatedImage,
  definition: KeypointDefinition,
): AnnotationDocument {
  const rings = shownRings(row);
  return {
    id: row.id,
    uuid: row.uuid,
    image_id: row.image_id,
    category_id: row.category_id,
    dataset_id,
    segmentation: flatRings(rings),
    rings,
    rle: isRle(row.shape) ? row.shape : null,
    area: row.area,
    bbox: row.bbox,
    iscrowd: row.iscrowd,
    isbbox: row.isbbox,
    creator: row.creator_name,
    width,
    height,
    color: row.color,
    keypoints: shownTriples(row, definition),
    keypoint_points: row.keypoints && oncePerLabel(row.keypoints),
    num_keypoints: countLabeledKeypoints(row.keypoints, definition),
    metadata: row.metadata,
    attributes: row.attributes ?? {},
    milliseconds: row.milliseconds,
    deleted: row.deleted_at !== null,
    revision: row.revision,
    events: [],
  };
}

/** Returns the keypoints that clients see: flat triples in the category's order, then the extra keypoints. */
export const shownTriples = (
  row: Pick<AnnotationRow, "keypoints" | "extra">,
  definition: KeypointDefinition,
): number[] => [...toTriples(row.keypoints, definition), ...extraKeypointsOf(row)];

/** Returns the flat triples that had no label in the category when they were received. */
export function extraKeypointsOf({ extra }: Pick<AnnotationRow, "extra">): number[] {
  const list = extra?.[EXTRA_KEYPOINTS_KEY];
  return Array.isArray(list) ? list.filter((value): value is number => typeof value === "number") : [];
}
