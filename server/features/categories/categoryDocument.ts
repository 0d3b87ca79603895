import type { Category } from "../../../shared/entities/category";
import { toWire } from "../../../shared/rules/keypointDefinition";
import { type CurrentUser, mayChangeCategory } from "../../base/permissions";
import type { CategoryRow } from "../../db/schema";

/** Columns that a category's document is made from. */
type ShownCategory = Pick<
  CategoryRow,
  "id" | "name" | "supercategory" | "color" | "metadata" | "creator_name" | "keypoints" | "attributes" | "revision"
>;

/** Returns a category in the form that the API sends. */
export const categoryDocument = (row: ShownCategory): Category => ({
  id: row.id,
  name: row.name,
  supercategory: row.supercategory,
  color: row.color,
  metadata: row.metadata,
  creator: row.creator_name,
  ...toWire(row.keypoints),
  attributes: row.attributes,
  revision: row.revision,
});

export function categoryPermissions(
  user: CurrentUser,
  row: Pick<CategoryRow, "creator_id">,
): { edit: boolean; delete: boolean } {
  const may = mayChangeCategory(user, row);
  return { edit: may, delete: may };
}
