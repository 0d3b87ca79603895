import type { Kysely } from "kysely";
import { folderOf } from "../../../shared/rules/folders";
import { isLiveImage } from "../../db/rows/images";
import type { NewImageRow, Schema } from "../../db/schema";
import type { ImageFacts } from "../../files/decode/probe";
import { fileNameOf } from "../../files/paths/safePath";

/** Returns the columns of an image's row about its place in the dataset. */
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

/** Returns the row of a new image at `path`. */
export const newImageRow = (datasetId: number, path: string, facts: ImageFacts): NewImageRow => ({
  dataset_id: datasetId,
  ...placeOf(path),
  ...fileFactsOf(facts),
});

/**
 * Selects the dataset's images that have these bytes, except those in the trash. If the file of such an image is
 * missing, a new file with the same bytes is the moved file.
 */
export function imagesWithBytes(db: Kysely<Schema>, datasetId: number, hashes: string[]) {
  return db
    .selectFrom("images")
    .select(["id", "path", "hash"])
    .where("dataset_id", "=", datasetId)
    .where("hash", "in", hashes)
    .where(isLiveImage())
    .orderBy("id")
    .execute();
}

/** Stores an image's new path, and the facts of its file if given. Returns false if it is no longer at its old path. */
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
    .where(isLiveImage())
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Returns true if the dataset has an image with this path, even in the trash. */
export async function hasImage(db: Kysely<Schema>, datasetId: number, path: string): Promise<boolean> {
  const row = await db
    .selectFrom("images")
    .select("id")
    .where("dataset_id", "=", datasetId)
    .where("path", "=", path)
    .executeTakeFirst();
  return row !== undefined;
}
