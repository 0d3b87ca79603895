import { type Keypoint, MAX_REMOVED_LABELS, NO_KEYPOINTS } from "../../../../shared/entities/keypoint";
import { moveKeypoints } from "../../../../shared/rules/keypointTriples";
import type { AnnotationRow } from "../../../db/schema";
import { absentCategory, deletedCategory, Refusal } from "./plan";
import type { CategoryState, ImageState, Snapshot } from "./snapshot";

/** Adds a category to the dataset of an image that uses it. Throws a Refusal if the user cannot see the category. */
export function addCategoryUse(id: number, image: ImageState, snapshot: Snapshot): CategoryState {
  const state = requireUsable(id, image, snapshot);
  if (!state.datasets.has(image.dataset_id)) {
    state.datasets.add(image.dataset_id);
    state.added.add(image.dataset_id);
  }
  return state;
}

/**
 * Returns a category that the user can see. Throws a Refusal if there is none, which names a category of the image's
 * dataset as deleted, and any other as absent.
 */
export function requireUsable(id: number, image: ImageState, snapshot: Snapshot): CategoryState {
  const state = snapshot.categories.get(id);
  if (state?.seen && !state.row.deleted_at) return state;
  throw state?.row.deleted_at && state.datasets.has(image.dataset_id) ? deletedCategory() : absentCategory();
}

/** Throws a Refusal unless every keypoint has a current or removed label of the category, each label at most once. */
export function requireLabels(
  keypoints: readonly Keypoint[] | null | undefined,
  categoryId: number,
  snapshot: Snapshot,
): void {
  if (!keypoints || keypoints.length === 0) return;
  const { labels, removed } = snapshot.categories.get(categoryId)?.row.keypoints ?? NO_KEYPOINTS;
  const known = new Set([...labels, ...removed].map((label) => label.id));
  const given = keypoints.map((point) => point.label);
  if (given.some((label) => !known.has(label))) throw new Refusal("The category has no such keypoint label.");
  if (new Set(given).size < given.length) throw new Refusal("A keypoint is given twice.");
}

/**
 * Returns the keypoints of an annotation that moves to another category, matched by label name; undefined if it has
 * none. Names that the other category lacks become removed labels of it, so that the points are hidden instead of lost.
 * Throws a Refusal without changing anything if the user cannot see the category or it has had too many labels.
 */
export function movedKeypoints(
  row: AnnotationRow,
  categoryId: number,
  image: ImageState,
  snapshot: Snapshot,
): Keypoint[] | undefined {
  const from = snapshot.categories.get(row.category_id);
  if (!row.keypoints?.length || !from) return undefined;
  const to = requireUsable(categoryId, image, snapshot);
  const moved = moveKeypoints(row.keypoints, from.row.keypoints, to.row.keypoints);
  if (moved.to.removed.length > MAX_REMOVED_LABELS)
    throw new Refusal("The category has had too many keypoint labels to take these points.");
  if (moved.to !== to.row.keypoints) {
    to.row.keypoints = moved.to;
    to.changed.row = true;
  }
  return moved.points;
}
