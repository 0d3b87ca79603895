import { type Kysely, sql } from "kysely";
import { codeOf, conflict } from "../../base/errors";
import type { Schema } from "../../db/schema";

const EXISTS = "Dataset already exists. Check the undo tab to fully delete the dataset.";

/** Returns the error for a name that another dataset has, perhaps a deleted one. */
export const nameTaken = () => conflict(EXISTS, { name: EXISTS });

/** Throws 409 if a dataset other than `ownId` has this name, ignoring case. */
export async function requireFreeName(db: Kysely<Schema>, name: string, ownId = 0): Promise<void> {
  const row = await db
    .selectFrom("datasets")
    .select("id")
    .where(sql<boolean>`fold_name(name) = fold_name(${name}) and purged_at is null and id <> ${ownId}`)
    .executeTakeFirst();
  if (row) throw nameTaken();
}

/** Returns true for the database's error that another request has just taken the name. */
export const isNameConflict = (error: unknown): boolean => isConflictOn(error, "datasets_name");

/** Returns true for the database's error about this unique index. */
export function isConflictOn(error: unknown, index: string): boolean {
  return codeOf(error) === "23505" && error instanceof Error && "constraint" in error && error.constraint === index;
}
