import type { Kysely } from "kysely";
import type { CategoryInput } from "../../shared/entities/category";
import { NO_KEYPOINTS } from "../../shared/entities/keypoint";
import type { CategoryRow, Schema } from "../db/schema";
import { conflict } from "../errors";
import type { Person } from "../permissions";
import { categoryColor } from "./categoryColor";
import { keypointsAfter } from "./updateCategory";

/** Makes a category of the person's own. Throws 409 where they have one of this name in any case, deleted ones too. */
export async function createCategory(db: Kysely<Schema>, person: Person, input: CategoryInput): Promise<CategoryRow> {
  const keypoints = keypointsAfter(NO_KEYPOINTS, input);
  const row = await db
    .insertInto("categories")
    .values({
      name: input.name.trim(),
      supercategory: input.supercategory?.trim() ?? "",
      color: input.color ?? (await categoryColor(db, person)),
      metadata: JSON.stringify(input.metadata ?? {}),
      keypoints: JSON.stringify(keypoints),
      creator_id: person.id,
      creator_name: person.username,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) throw categoryExists();
  return row;
}

const EXISTS = "Category already exists. Check the undo tab to fully delete the category.";
export const categoryExists = () => conflict(EXISTS, { name: EXISTS });
