import type { Kysely } from "kysely";
import type { CategoryInput } from "../../../shared/entities/category";
import { NO_KEYPOINTS } from "../../../shared/entities/keypoint";
import { conflict } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { insertCategory, insertNamedCategories } from "../../db/rows/categories";
import type { CategoryRow, Schema } from "../../db/schema";
import { makePause } from "../../threads/makePause";
import { categoryColors } from "./categoryColor";
import { keypointsAfter } from "./updateCategory";

/**
 * Creates a category of the user's own. Throws 409 if the user has one with this name, ignoring case, also if deleted.
 */
export async function createCategory(
  db: Kysely<Schema>,
  user: CurrentUser,
  input: CategoryInput,
): Promise<CategoryRow> {
  const keypoints = keypointsAfter(NO_KEYPOINTS, input);
  const row = await insertCategory(db, user, {
    name: input.name.trim(),
    supercategory: input.supercategory?.trim() ?? "",
    color: input.color ?? (await categoryColors(db, user)()),
    metadata: input.metadata ?? {},
    keypoints,
  });
  if (!row) throw categoryExists();
  return row;
}

/** Creates categories that have only a name. Skips names that the user already has. */
export async function createCategories(db: Kysely<Schema>, user: CurrentUser, names: readonly string[]): Promise<void> {
  const newColor = categoryColors(db, user);
  const colors: string[] = [];
  const pause = makePause();
  for (const _ of names) {
    colors.push(await newColor());
    await pause();
  }
  await insertNamedCategories(db, user, names, colors);
}

const EXISTS = "Category already exists. Check the undo tab to fully delete the category.";
export const categoryExists = () => conflict(EXISTS, { name: EXISTS });
