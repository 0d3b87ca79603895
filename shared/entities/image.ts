import { z } from "zod";
import { id, metadata } from "./scalars";

/** Width and height of an image in pixels. */
export interface Size {
  width: number;
  height: number;
}

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
  /** True if a user has marked the image as done. The mark prevents nothing. */
  done: z.boolean(),
});
export type ImageSummary = z.infer<typeof imageSummary>;

export const image = imageSummary.extend({
  dataset_id: id,
  /** Labels ticked in label mode together with the categories that have annotations. */
  category_ids: z.array(id),
  metadata,
  /** Incremented with every edit of the image's annotations, labels, metadata or mark. */
  revision: z.number(),
  milliseconds: z.number(),
});
export type Image = z.infer<typeof image>;
