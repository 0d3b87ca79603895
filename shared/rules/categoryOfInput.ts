import { KEYPOINT_PALETTE } from "../constants";
import type { Category, CategoryInput } from "../entities/category";
import { type KeypointLabel, NO_KEYPOINTS } from "../entities/keypoint";
import { toStored, toWire } from "./keypointDefinition";

/** A category as scenes contain it. */
interface OwnCategory extends Category {
  keypoint_removed: KeypointLabel[];
  permissions: { edit: boolean; delete: boolean };
}

/** Returns the category that the server will make of an input, for its creator. Throws a KeypointError. */
export function categoryOfInput(id: number, input: CategoryInput, creator: string): OwnCategory {
  const { keypoint_labels: labels, keypoint_edges: edges, keypoint_colors: colors } = input;
  return {
    id,
    name: input.name.trim(),
    supercategory: input.supercategory?.trim() ?? "",
    color: input.color ?? KEYPOINT_PALETTE[0],
    metadata: input.metadata ?? {},
    creator,
    ...toWire(toStored(NO_KEYPOINTS, { labels, edges, colors })),
    attributes: input.attributes ?? [],
    revision: 1,
    keypoint_removed: [],
    permissions: { edit: true, delete: true },
  };
}
