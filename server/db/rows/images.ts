import { type Kysely, type SqlBool, sql } from "kysely";
import { sortKey } from "../../../shared/text/fold";
import type { NewImageRow, Schema } from "../schema";

/** Condition on a table or alias of images: not deleted. */
export const isLiveImage = (table = "images") => sql<SqlBool>`${sql.ref(`${table}.deleted_at`)} is null`;

/**
 * Maximum length in characters of the columns name_key and path_key, since a row of an index has at most 2,704 bytes
 * and keys may be ten times as long as names. Names with the same truncated key are sorted by id.
 */
const NAME_KEY_CHARACTERS = 250;
const PATH_KEY_CHARACTERS = 400;

/** Returns the value of the column name_key, by which images are sorted. */
export const nameKeyOf = (name: string): string => firstCharacters(sortKey(name), NAME_KEY_CHARACTERS);

/** Returns the value of the column path_key. */
export const pathKeyOf = (path: string): string => firstCharacters(sortKey(path), PATH_KEY_CHARACTERS);

const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : Array.from(text).slice(0, count).join("");

/**
 * Condition on images: the file name is exactly one of `names`. Also compares name_key, since the index contains only
 * the key.
 */
export function hasFileName(names: readonly string[]) {
  const keys = [...new Set(names.map(nameKeyOf))];
  return sql<SqlBool>`(images.name_key = any(${keys}::text[]) and images.file_name = any(${names}::text[]))`;
}

/** Inserts images. Skips paths that the dataset already has, even in the trash. Returns the new ids. */
export function insertImages(db: Kysely<Schema>, rows: readonly NewImageRow[]): Promise<{ id: number }[]> {
  return db
    .insertInto("images")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["dataset_id", "path"]).doNothing())
    .returning("id")
    .execute();
}
