import { type Kysely, type SqlBool, sql } from "kysely";
import type { NewImageRow, Schema } from "../schema";

/** Condition on a table or alias of images: not deleted. */
export const isLiveImage = (table = "images") => sql<SqlBool>`${sql.ref(`${table}.deleted_at`)} is null`;

/** Inserts images. Skips paths that the dataset has already, also in the trash. Returns the new ids. */
export function insertImages(db: Kysely<Schema>, rows: readonly NewImageRow[]): Promise<{ id: number }[]> {
  return db
    .insertInto("images")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["dataset_id", "path"]).doNothing())
    .returning("id")
    .execute();
}
