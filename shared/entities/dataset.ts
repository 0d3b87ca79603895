import { z } from "zod";
import { memberRole } from "./member";
import { id, metadata, text } from "./scalars";

export const datasetName = text(100)
  .refine((name) => name.trim() !== "", "Dataset name is required")
  .refine((name) => name === name.trim(), "The name begins or ends with a space")
  .refine((name) => !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(name), "Invalid characters");

export const datasetPermissions = z.object({
  owner: z.boolean(),
  /** False for viewers, who may only look. */
  edit: z.boolean(),
  /** Accepting images and returning them. */
  review: z.boolean(),
  /** Settings, members, images and everything else that maintainers may do. */
  manage: z.boolean(),
  share: z.boolean(),
  generate: z.boolean(),
  delete: z.boolean(),
  download: z.boolean(),
});
export type DatasetPermissions = z.infer<typeof datasetPermissions>;

/**
 * Order of the queue: that of the list by file name, by use for training (docs/decisions/0147-queue.md), or the images
 * first that are farthest from labelled ones (docs/decisions/0153-farthest-first.md).
 */
export const queueOrder = z.enum(["list", "smart", "farthest"]);
export type QueueOrder = z.infer<typeof queueOrder>;

export const dataset = z.object({
  id,
  name: z.string(),
  /** Folder below /datasets/, as shown in the create form. */
  directory: z.string(),
  owner: z.string().nullable(),
  users: z.array(z.string()),
  /** The same users with their roles. */
  members: z.array(z.object({ username: z.string(), role: memberRole })),
  categories: z.array(id),
  annotate_url: z.string(),
  default_annotation_metadata: metadata,
  /** True if images that are marked as done wait for a reviewer. */
  review: z.boolean(),
  /** Order in which the queue gives images to annotators. */
  queue_order: queueOrder,
  /** True if the queue gives annotators only images that are assigned to them. */
  queue_assigned_only: z.boolean(),
});
export type Dataset = z.infer<typeof dataset>;

/** Numbers of images that wait for review, were returned, or are accepted. */
export const stageCounts = z.object({ to_review: z.number(), returned: z.number(), accepted: z.number() });
export type StageCounts = z.infer<typeof stageCounts>;

export const datasetCard = dataset.extend({
  numberImages: z.number(),
  numberAnnotated: z.number(),
  /** Null if the dataset asks for no review, and no image waits for one or was returned. */
  stages: stageCounts.nullable(),
  first_image_id: id.nullable(),
  /** Time of the last change of its images or annotations, to about ten seconds, and the user; null if unknown. */
  edited_at: z.string().nullable(),
  edited_by: z.string().nullable(),
  permissions: datasetPermissions,
});
export type DatasetCard = z.infer<typeof datasetCard>;
