import type { Kysely } from "kysely";
import type { NewImageRow, Schema } from "../../db/schema";
import type { ImageFacts } from "../../files/decode/probe";
import { fileNameOf, folderOf } from "../../files/paths/safePath";

/** The place of an image inside its dataset, as its row holds it. */
export const placeOf = (path: string) => ({ path, folder: folderOf(path), file_name: fileNameOf(path) });

/** Returns the columns of an image's row about its file. */
export const fileFactsOf = ({ mime, width, height, orientation, bytes, modifiedMs, hash }: ImageFacts) => ({
  mime,
  width,
  height,
  orientation,
  bytes,
  modified_ms: modifiedMs,
  hash,
});

export const newImageRow = (datasetId: number, path: string, facts: ImageFacts): NewImageRow => ({
  dataset_id: datasetId,
  ...placeOf(path),
  ...fileFactsOf(facts),
});

/**
 * Images of the dataset that have these bytes and whose file is gone: a new file with the bytes is one of them, moved.
 * Those in the trash are left there.
 */
export function imagesWithBytes(db: Kysely<Schema>, datasetId: number, hashes: string[]) {
  return db
    .selectFrom("images")
    .select(["id", "path", "hash"])
    .where("dataset_id", "=", datasetId)
    .where("hash", "in", hashes)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();
}

/** Gives an image its new place, and what is new of its file. False when it is no longer where it was. */
export async function moveImageFile(
  db: Kysely<Schema>,
  image: { id: number; path: string },
  path: string,
  facts?: ImageFacts,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("images")
    .set({ ...placeOf(path), ...(facts && fileFactsOf(facts)) })
    .where("id", "=", image.id)
    .where("path", "=", image.path)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Returns true if the dataset has an image of this path, also in the trash. */
export async function hasImage(db: Kysely<Schema>, datasetId: number, path: string): Promise<boolean> {
  const row = await db
    .selectFrom("images")
    .select("id")
    .where("dataset_id", "=", datasetId)
    .where("path", "=", path)
    .executeTakeFirst();
  return row !== undefined;
}
