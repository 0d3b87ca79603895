import { type Kysely, sql } from "kysely";
import type { CategoryInput } from "../../../shared/entities/category";
import { NO_KEYPOINTS } from "../../../shared/entities/keypoint";
import { conflict } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
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
  const row = await db
    .insertInto("categories")
    .values({
      name: input.name.trim(),
      supercategory: input.supercategory?.trim() ?? "",
      color: input.color ?? (await categoryColors(db, user)()),
      metadata: JSON.stringify(input.metadata ?? {}),
      keypoints: JSON.stringify(keypoints),
      creator_id: user.id,
      creator_name: user.username,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
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
  await sql`
    insert into categories (name, supercategory, color, metadata, keypoints, creator_id, creator_name)
    select name, '', color, '{}', ${JSON.stringify(NO_KEYPOINTS)}::jsonb, ${user.id}::integer, ${user.username}
    from unnest(${names}::text[], ${colors}::text[]) as new (name, color)
    on conflict do nothing`.execute(db);
}

const EXISTS = "Category already exists. Check the undo tab to fully delete the category.";
export const categoryExists = () => conflict(EXISTS, { name: EXISTS });
