import { z } from "zod";
import { id, metadata } from "./scalars";

/** Width and height of an image in pixels. */
export interface Size {
  width: number;
  height: number;
}

/**
 * Stages of the work on an image, as they are stored. An open image without annotations is new, one with annotations is
 * being annotated. Where a dataset asks for no review, an image is open or accepted.
 */
export const STAGES = ["open", "to_review", "returned", "accepted"] as const;
export const stage = z.enum(STAGES);
export type Stage = z.infer<typeof stage>;

/** An image in a list. Width and height are those of the upright image, in pixels. */
export const imageSummary = z.object({
  id,
  file_name: z.string(),
  /** Path relative to the dataset's folder, with `/` between names. */
  path: z.string(),
  width: z.number(),
  height: z.number(),
  annotating: z.array(z.string()),
  annotated: z.boolean(),
  num_annotations: z.number(),
  /** True if the image waits for review or is accepted. The mark prevents nothing. */
  done: z.boolean(),
  stage,
  /** Number of threads of comments that are not resolved; absent if there are none. */
  open_threads: z.number().optional(),
  /** Username of the user to whom the image is assigned. Only lists and manifests have it; absent or null if none. */
  assignee: z.string().nullish(),
});
export type ImageSummary = z.infer<typeof imageSummary>;

export const image = imageSummary.extend({
  dataset_id: id,
  /** Labels ticked in label mode together with the categories that have annotations. */
  category_ids: z.array(id),
  metadata,
  /** Incremented with every edit of the image's annotations, labels, metadata, mark or comments. */
  revision: z.number(),
  milliseconds: z.number(),
  /** Username of the reviewer who returned the image, and when; null if it was not returned or is accepted since. */
  returned_by: z.string().nullable(),
  returned_at: z.string().nullable(),
});
export type Image = z.infer<typeof image>;
