import type { Category } from "../../shared/entities/category";
import { toWire } from "../../shared/rules/keypointDefinition";
import type { CategoryRow } from "../db/schema";
import { mayChangeCategory, type Person } from "../permissions";

/** A category as the wire shows it. */
export const categoryDocument = (row: CategoryRow): Category => ({
  id: row.id,
  name: row.name,
  supercategory: row.supercategory,
  color: row.color,
  metadata: row.metadata,
  creator: row.creator_name,
  ...toWire(row.keypoints),
  revision: row.revision,
});

export function categoryPermissions(person: Person, row: CategoryRow): { edit: boolean; delete: boolean } {
  const may = mayChangeCategory(person, row);
  return { edit: may, delete: may };
}
