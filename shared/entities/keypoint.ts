import { z } from "zod";
import { color, text } from "./scalars";

/** 0 not labeled, 1 labeled not visible, 2 labeled visible (default), 3 unknown. */
export const visibility = z.int().min(0).max(3);

/** A placed keypoint: the stable id of its label, its position in image pixels, and its visibility. */
export const keypoint = z.object({
  label: z.int().min(1),
  x: z.number().min(-1e7).max(1e7),
  y: z.number().min(-1e7).max(1e7),
  v: visibility,
});
export type Keypoint = z.infer<typeof keypoint>;

/** A label of a category. Its id never changes, even if it is renamed or moved. */
export const keypointLabel = z.object({ id: z.int().min(1), name: text(200), color });
export type KeypointLabel = z.infer<typeof keypointLabel>;

/** Largest number of removed labels of a category. */
export const MAX_REMOVED_LABELS = 10_000;

/**
 * A category's keypoints: labels in order, edges as pairs of label ids, and removed labels (their points are hidden and
 * come back if a label of the same name is added again).
 */
export const keypointDefinition = z.object({
  labels: z.array(keypointLabel).max(1000),
  edges: z.array(z.tuple([z.int().min(1), z.int().min(1)])).max(10_000),
  removed: z.array(keypointLabel).max(MAX_REMOVED_LABELS),
});
export type KeypointDefinition = z.infer<typeof keypointDefinition>;

export const NO_KEYPOINTS: KeypointDefinition = { labels: [], edges: [], removed: [] };
