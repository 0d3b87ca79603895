import { z } from "zod";
import { attributeDefinition, attributeDefinitions } from "./attribute";
import { color, id, metadata, text } from "./scalars";

/** Maximum length of a name, in UTF-16 code units. */
export const MAX_CATEGORY_NAME = 200;

export const categoryName = text(MAX_CATEGORY_NAME).refine((name) => name.trim() !== "", "Category name is required");

/** A category in the API; keypoint edges are pairs of 1-based label numbers. */
export const category = z.object({
  id,
  name: z.string(),
  supercategory: z.string(),
  color: z.string(),
  metadata,
  creator: z.string().nullable(),
  keypoint_labels: z.array(z.string()),
  keypoint_edges: z.array(z.tuple([z.number(), z.number()])),
  keypoint_colors: z.array(z.string()),
  /** Stable label ids, in the order of `keypoint_labels`. */
  keypoint_label_ids: z.array(z.number()),
  /** Definitions of the `attributes` of its annotations. */
  attributes: z.array(attributeDefinition),
  revision: z.number(),
});
export type Category = z.infer<typeof category>;

/** Fields of a category that users may set. Surplus colours are ignored; missing ones come from the palette. */
export const categoryInput = z.object({
  name: categoryName,
  supercategory: text(200).nullish(),
  color: color.nullish(),
  /** An empty list, which older clients send with every change, counts as absent. */
  metadata: z
    .preprocess((value) => (Array.isArray(value) && value.length === 0 ? undefined : value), metadata.nullish())
    .optional(),
  keypoint_labels: z.array(text(200)).max(1000).nullish(),
  keypoint_edges: z
    .array(z.tuple([z.int(), z.int()]))
    .max(10_000)
    .nullish(),
  keypoint_colors: z.array(z.string().max(20)).max(1000).nullish(),
  attributes: attributeDefinitions.nullish(),
});
export type CategoryInput = z.infer<typeof categoryInput>;
