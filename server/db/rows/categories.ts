import { type Kysely, type SqlBool, sql } from "kysely";
import type { AttributeDefinition } from "../../../shared/entities/attribute";
import { type KeypointDefinition, NO_KEYPOINTS } from "../../../shared/entities/keypoint";
import type { Metadata } from "../../../shared/entities/scalars";
import type { CurrentUser } from "../../base/permissions";
import type { CategoryRow, Schema } from "../schema";

type Creator = Pick<CurrentUser, "id" | "username">;

/** The values of a new category. */
export interface NewCategory {
  /** Chosen by the database if absent. */
  id?: number;
  name: string;
  supercategory: string;
  color: string;
  metadata: Metadata;
  keypoints: KeypointDefinition;
  attributes: readonly AttributeDefinition[];
}

/** Condition on a table or alias of categories: not deleted. */
export const isLiveCategory = (table = "categories") => sql<SqlBool>`${sql.ref(`${table}.deleted_at`)} is null`;

/**
 * Inserts a category. Returns undefined if the user already has a category with this name, ignoring case, even a
 * deleted one.
 */
export function insertCategory(
  db: Kysely<Schema>,
  { id, username }: Creator,
  { metadata, keypoints, attributes, ...texts }: NewCategory,
): Promise<CategoryRow | undefined> {
  return db
    .insertInto("categories")
    .values({
      ...texts,
      metadata: JSON.stringify(metadata),
      keypoints: JSON.stringify(keypoints),
      attributes: JSON.stringify(attributes),
      creator_id: id,
      creator_name: username,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Inserts categories that have only a name and a colour. Skips names that the user's categories already have. */
export async function insertNamedCategories(
  db: Kysely<Schema>,
  { id, username }: Creator,
  names: readonly string[],
  colors: readonly string[],
): Promise<void> {
  await sql`
    insert into categories (name, supercategory, color, metadata, keypoints, creator_id, creator_name)
    select name, '', color, '{}', ${JSON.stringify(NO_KEYPOINTS)}::jsonb, ${id}::integer, ${username}
    from unnest(${names}::text[], ${colors}::text[]) as new (name, color)
    on conflict do nothing`.execute(db);
}

/** Adds categories to a dataset's list. Skips categories that are already listed. Returns the number of added ones. */
export async function listCategories(db: Kysely<Schema>, datasetId: number, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { numAffectedRows } = await sql`
    insert into dataset_categories (dataset_id, category_id) select ${datasetId}, unnest(${ids}::int[])
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows);
}
