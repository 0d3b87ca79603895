import type { CategoryChange, CategoryEdit, ImageEdit } from "../../../shared/edits/edit";
import { uuid } from "../../io/uuid";
import type { SceneCategory } from "./subjects/categories";
import { imageBase, type SceneImage } from "./subjects/openImage";

/** Returns the edit that changes a category's colour, keypoint definition or attributes, with the previous values. */
export function categoryEdit(category: SceneCategory, imageId: number, after: CategoryChange): CategoryEdit {
  const { color, keypoint_labels, keypoint_edges, keypoint_colors, keypoint_label_ids, attributes } = category;
  const keypoints = { keypoint_labels, keypoint_edges, keypoint_colors, keypoint_label_ids };
  const now: Required<CategoryChange> = { color, ...keypoints, attributes };
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

/** Returns the edit that changes an image's ticked labels, metadata or stage, with the previous values. */
export function imageEdit(image: SceneImage, after: ImageEdit["after"]): ImageEdit {
  const { id, labels, metadata, done, stage } = image;
  const before = {
    ...(after.labels && { labels }),
    ...(after.metadata && { metadata }),
    ...(after.done !== undefined && { done }),
    ...(after.stage !== undefined && { stage }),
  };
  return { uuid: uuid(), image_id: id, base: imageBase(image), subject: "image", action: "modify", before, after };
}
