import { type Kysely, type SqlBool, sql } from "kysely";
import { sortKey } from "../../../shared/text/fold";
import type { NewImageRow, Schema } from "../schema";

/** Condition on a table or alias of images: not deleted. */
export const isLiveImage = (table = "images") => sql<SqlBool>`${sql.ref(`${table}.deleted_at`)} is null`;

/** Condition on images: one of these file names, exactly. The index has only the keys that names are sorted by. */
export function hasFileName(names: readonly string[]) {
  const keys = [...new Set(names.map(sortKey))];
  return sql<SqlBool>`(images.name_key = any(${keys}::text[]) and images.file_name = any(${names}::text[]))`;
}

/** Inserts images. Skips paths that the dataset has already, also in the trash. Returns the new ids. */
export function insertImages(db: Kysely<Schema>, rows: readonly NewImageRow[]): Promise<{ id: number }[]> {
  return db
    .insertInto("images")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["dataset_id", "path"]).doNothing())
    .returning("id")
    .execute();
}
