import { z } from "zod";
import { keypoint } from "./keypoint";
import { color, id, metadata, uuid } from "./scalars";
import { bbox, rings, rle } from "./shape";

/**
 * The parts of an annotation that edits change. `rings` and `isbbox` together are the field "shape". `rings` is null
 * while the shape is an RLE (a crowd) or comes only from `bbox`, until it is edited.
 */
export const annotationFields = z.object({
  category_id: id,
  rings: rings.nullable(),
  isbbox: z.boolean(),
  color,
  metadata,
  /** Values by name, as COCO files have them under `attributes`; merged name by name. */
  attributes: metadata,
  keypoints: z.array(keypoint).max(1000).nullable(),
});
export type AnnotationFields = z.infer<typeof annotationFields>;

/** An annotation as Limn's client uses it (`GET /api/annotator/data/{id}?shape=rings`). Coordinates in image pixels. */
export const annotation = annotationFields.extend({
  uuid,
  /** Null until the server has stored the annotation. */
  id: id.nullable(),
  image_id: id,
  revision: z.number(),
  rle: rle.nullable(),
  iscrowd: z.boolean(),
  area: z.number(),
  bbox,
  creator: z.string().nullable(),
});
export type Annotation = z.infer<typeof annotation>;
