import { z } from "zod";
import { keypoint } from "../entities/keypoint";
import { color, id, metadata } from "../entities/scalars";
import { flatPolygons, ring, rle } from "../entities/shape";
import { declare } from "./protocol/call";
import { idInPath, limit, page } from "./protocol/inputs";
import { success } from "./protocol/outputs";

const params = z.object({ id: idInPath });

/**
 * In bytes. Twice the size of the longest allowed annotation, since a client may send its shape twice: as
 * `segmentation` and as `rings`.
 */
const MAX_BODY = 8_000_000;

/**
 * An annotation as the calls for single annotations send it. `segmentation` is a list of flat lists, one per ring,
 * whatever the stored shape is; `rings` (polygons with holes) or `rle` (crowds) have the true shape.
 */
export const annotationDocument = z.object({
  id,
  uuid: z.string(),
  image_id: id,
  category_id: id,
  dataset_id: id,
  segmentation: z.array(z.array(z.number())),
  rings: z.array(z.array(z.array(z.number()))),
  rle: rle.nullable(),
  area: z.number(),
  bbox: z.array(z.number()),
  iscrowd: z.boolean(),
  isbbox: z.boolean(),
  creator: z.string(),
  width: z.number(),
  height: z.number(),
  color: z.string(),
  /** Flat triples x, y, visibility in the category's current order of labels; 0, 0, 0 is unset. */
  keypoints: z.array(z.number()),
  keypoint_points: z.array(keypoint).nullable(),
  num_keypoints: z.number(),
  metadata,
  attributes: metadata,
  milliseconds: z.number(),
  deleted: z.boolean(),
  revision: z.number(),
  events: z.array(z.json()),
});
export type AnnotationDocument = z.infer<typeof annotationDocument>;

const flatKeypoints = z
  .array(z.number().min(-1e7).max(1e7))
  .max(3000)
  .refine((list) => list.length % 3 === 0, "Keypoints are triples");
const shapeInput = {
  segmentation: z.union([flatPolygons, rle]).nullish(),
  rings: z.array(z.array(ring).min(1)).nullish(),
  keypoints: flatKeypoints.nullish(),
  isbbox: z.boolean().nullish(),
  iscrowd: z.union([z.boolean(), z.literal(0), z.literal(1)]).nullish(),
  bbox: z.tuple([z.number(), z.number(), z.number().min(0), z.number().min(0)]).nullish(),
  color: color.nullish(),
  metadata: metadata.nullish(),
  attributes: metadata.nullish(),
};

export const listAnnotations = declare({
  method: "GET",
  path: "/annotation/",
  title: "Loading Annotations",
  access: "user",
  summary: "List the annotations that the caller may see, by id",
  query: z.object({ page, limit: limit(1000) }),
  output: z.array(annotationDocument),
});

export const createAnnotation = declare({
  method: "POST",
  path: "/annotation/",
  title: "Creating Annotation",
  access: "user",
  maxBody: MAX_BODY,
  revisioned: true,
  summary: "Create an annotation",
  body: z.object({ image_id: id, category_id: id, ...shapeInput }),
  /**
   * `paper_object` is always `[]`, even if there is a shape: older clients read its length before they draw in a new
   * annotation.
   */
  output: annotationDocument.extend({ paper_object: z.array(z.json()) }),
});

export const getAnnotation = declare({
  method: "GET",
  path: "/annotation/{id}",
  title: "Loading Annotation",
  access: "user",
  revisioned: true,
  summary: "Get an annotation",
  params,
  output: annotationDocument,
});

export const updateAnnotation = declare({
  method: "PUT",
  path: "/annotation/{id}",
  title: "Updating Annotation",
  access: "user",
  maxBody: MAX_BODY,
  revisioned: true,
  summary: "Change an annotation; absent fields stay as they are",
  params,
  body: z.object({ category_id: id.optional(), ...shapeInput }),
  output: annotationDocument,
});

export const deleteAnnotation = declare({
  method: "DELETE",
  path: "/annotation/{id}",
  title: "Deleting Annotation",
  access: "user",
  revisioned: true,
  summary: "Move an annotation to the trash",
  params,
  output: success,
});
