import { z } from "zod";
import { annotation } from "../entities/annotation";
import { category } from "../entities/category";
import { comment } from "../entities/comment";
import { dataset, datasetPermissions } from "../entities/dataset";
import { image, imageSummary } from "../entities/image";
import { keypointLabel } from "../entities/keypoint";
import { id, metadata } from "../entities/scalars";
import { declare } from "./protocol/call";
import { idInPath } from "./protocol/inputs";

/** Calls for copies of datasets that clients keep to work offline. */

const params = z.object({ id: idInPath });

/** Largest number of images whose scenes one call returns. */
export const MAX_SCENES = 200;

/** A category as scenes contain it, without annotations. */
export const sceneCategory = category.extend({
  /** Removed labels: their ids are not reused, and a new label of the same name gets its old id back. */
  keypoint_removed: z.array(keypointLabel).optional(),
  permissions: z.object({ edit: z.boolean(), delete: z.boolean() }),
});
export type SceneCategory = z.infer<typeof sceneCategory>;

/**
 * Unknown keys of imported COCO files, which exports write again. Only sent to users who may export the dataset, and
 * absent if there are none.
 */
const extra = z.record(z.string(), z.json()).optional();

/** A category of a manifest. */
export const manifestCategory = sceneCategory.extend({
  /** True if the category is in the trash: exports and statistics leave out its annotations. */
  deleted: z.literal(true).optional(),
  extra,
});
export type ManifestCategory = z.infer<typeof manifestCategory>;

/** One image of a manifest. Width and height are those of the upright image, in pixels. */
export const manifestImage = imageSummary.omit({ annotating: true }).extend({
  /** Labels and the categories that have annotations. */
  category_ids: z.array(id),
  /** Incremented with every edit of the image's annotations, labels, metadata, mark or comments. */
  revision: z.number(),
  /** Size in bytes and SHA-256 in hexadecimal of the stored file. */
  bytes: z.number(),
  hash: z.string(),
});
export type ManifestImage = z.infer<typeof manifestImage>;

export const getManifest = declare({
  method: "GET",
  path: "/dataset/{id}/manifest",
  title: "Loading Dataset",
  access: "user",
  summary:
    "List all images of a dataset by id, with revision, size and hash, and the data that its images share, to keep a copy up to date",
  params,
  output: z.object({
    dataset: dataset.extend({
      permissions: datasetPermissions,
      /** Licenses from imported COCO files, only sent to users who may export the dataset. */
      licenses: z.array(z.json()).optional(),
    }),
    /** Categories that the dataset lists, that are ticked on its images, or that have annotations in it; by id. */
    categories: z.array(manifestCategory),
    preferences: metadata,
    images: z.array(manifestImage),
  }),
});

/** An annotation with the fields that only exports need. */
export const copiedAnnotation = annotation.extend({
  /**
   * Kind of the stored shape, if `rings` does not show it. `absent`: no shape, and no segmentation in a COCO file.
   * `box`: only the box. `list`: a COCO list of rings although the annotation is a crowd. No longer valid once the
   * shape is edited.
   */
  stored: z.enum(["absent", "box", "list"]).optional(),
  extra,
});
export type CopiedAnnotation = z.infer<typeof copiedAnnotation>;

/**
 * Ids of an image's deleted annotations, as runs of consecutive ids: the first id of each and its length. Absent if
 * there are none.
 */
export const deletedRuns = z.array(z.tuple([id, z.int().min(1)])).optional();

/** An image with its annotations, without the data that all images of the dataset share. */
export const copiedScene = z.object({
  image: image.omit({ annotating: true }).extend({ labels: z.array(id), extra }),
  annotations: z.array(copiedAnnotation),
  /** Oldest first; absent if the image has none. */
  comments: z.array(comment).optional(),
  deleted: deletedRuns,
});
export type CopiedScene = z.infer<typeof copiedScene>;

export const getScenes = declare({
  method: "POST",
  path: "/dataset/{id}/scenes",
  title: "Loading Annotations",
  access: "user",
  changes: false,
  summary: "Get the annotations of up to 200 images of a dataset. Changes nothing",
  params,
  body: z.object({ ids: z.array(id).min(1).max(MAX_SCENES) }),
  output: z.object({
    /** In the order of `ids`. */
    scenes: z.array(copiedScene),
    /** Images that are deleted or not in this dataset. */
    missing: z.array(id),
  }),
});
