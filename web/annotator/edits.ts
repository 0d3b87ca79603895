import type { CategoryChange, CategoryEdit } from "../../shared/edits/edit";
import { uuid } from "../io/uuid";
import type { SceneCategory } from "./document";

/** The edit that changes a category's look or keypoint definition, with the values before. */
export function categoryEdit(category: SceneCategory, imageId: number, after: CategoryChange): CategoryEdit {
  const { color, keypoint_labels, keypoint_edges, keypoint_colors } = category;
  const now: Required<CategoryChange> = { color, keypoint_labels, keypoint_edges, keypoint_colors };
  const before = Object.fromEntries(Object.entries(now).filter(([field]) => field in after));
  return {
    uuid: uuid(),
    image_id: imageId,
    base: category.revision,
    subject: "category",
    target: category.id,
    action: "modify",
    before,
    after,
  };
}
