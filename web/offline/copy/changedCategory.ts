import type { SceneCategory } from "../../../shared/api/offline";
import type { CategoryChange } from "../../../shared/edits/edit";

/** Returns a category after an edit. Adds removed keypoint labels to `keypoint_removed`. */
export function changedCategory<C extends SceneCategory>(category: C, after: CategoryChange): C {
  const { keypoint_label_ids: ids } = after;
  if (!ids) return { ...category, ...after };
  const labels = category.keypoint_label_ids.map((id, i) => ({
    id,
    name: category.keypoint_labels[i] ?? "",
    color: category.keypoint_colors[i] ?? category.color,
  }));
  const removed = [...labels, ...(category.keypoint_removed ?? [])].filter(({ id }) => !ids.includes(id));
  return { ...category, ...after, keypoint_removed: removed };
}
