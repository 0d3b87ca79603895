import type { AnnotationDocument } from "../../../../shared/api/annotation";
import { flatRings } from "../../../../shared/coco/segmentation";
import type { KeypointDefinition } from "../../../../shared/entities/keypoint";
import { EXTRA_KEYPOINTS_KEY, countLabeled, oncePerLabel, toTriples } from "../../../../shared/rules/keypointTriples";
import type { AnnotationRow, ImageRow } from "../../../db/schema";
import { isRle, shownRings } from "./annotationRow";

type AnnotatedImage = Pick<ImageRow, "dataset_id" | "width" | "height">;

/**
 * An annotation as the single calls and older clients know it. Coordinates in image pixels from the top left. Throws
 * NeedsMeasuring on a long mask that was not traced before.
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
    num_keypoints: countLabeled(row.keypoints, definition),
    metadata: row.metadata,
    milliseconds: row.milliseconds,
    deleted: row.deleted_at !== null,
    revision: row.revision,
    events: [],
  };
}

/** Keypoints as clients are shown them: flat triples in the category's order, then those without a label. */
export const shownTriples = (
  row: Pick<AnnotationRow, "keypoints" | "extra">,
  definition: KeypointDefinition,
): number[] => [...toTriples(row.keypoints, definition), ...extraKeypointsOf(row)];

/** Triples for which the category had no label when they came. */
export function extraKeypointsOf({ extra }: Pick<AnnotationRow, "extra">): number[] {
  const list = extra?.[EXTRA_KEYPOINTS_KEY];
  return Array.isArray(list) ? list.filter((value): value is number => typeof value === "number") : [];
}
