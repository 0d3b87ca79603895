import { type Kysely, sql } from "kysely";
import { codeOf, HttpError } from "../../base/errors";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import type { Files } from "../../files/files";
import { ImageError } from "../../files/paths/imageError";
import { hasImage, moveImageFile } from "../images/newImageRow";
import { type ChangeKey, recordBefore } from "./before";
import { failuresOfMissing, type Outcome } from "./change";

interface Tools {
  db: Kysely<Schema>;
  files: Files;
}

interface StoredImage {
  id: number;
  path: string;
  file_name: string;
  hash: string;
}

interface Folder {
  id: number;
  folder: string;
}

/**
 * Moves images of a dataset and their files, one by one, to the paths that `targetOf` returns. Nothing is overwritten:
 * if a path is taken, even by an image in the trash, the image stays and is reported as a failure. The file is moved
 * before the row is updated; after a crash in between, the same order or a scan corrects the row. Records the old paths
 * under `key`.
 */
export async function moveImages(
  tools: Tools,
  dataset: Folder,
  targetOf: (image: StoredImage) => string,
  ids: readonly number[],
  key?: ChangeKey,
): Promise<Outcome> {
  const images = await tools.db
    .selectFrom("images")
    .select(["id", "path", "file_name", "hash"])
    .where("id", "in", [...ids])
    .where("dataset_id", "=", dataset.id)
    .where(isLiveImage())
    .orderBy("id")
    .execute();
  const failures = failuresOfMissing(
    ids,
    images.map(({ id }) => id),
  );
  for (const image of images) {
    const message = await moveOne(tools, dataset, image, targetOf(image), key).catch(messageOf);
    if (message !== undefined) failures.push({ id: image.id, message });
  }
  return { changed: ids.length - failures.length, failures };
}

/** Returns the message of an error that concerns one image. Rethrows storage and database errors. */
function messageOf(error: unknown): string {
  if (error instanceof HttpError && error.status < 500) return error.message;
  throw error;
}

/** Moves an image. Returns the reason if it cannot be moved, or undefined if it is at its new path. */
async function moveOne(
  { db, files }: Tools,
  dataset: Folder,
  image: StoredImage,
  path: string,
  key?: ChangeKey,
): Promise<string | undefined> {
  if (path === image.path) return undefined;
  if (await hasImage(db, dataset.id, path)) return taken(path);
  const moved = await files.images.move(dataset.folder, image.path, path);
  if (moved === "taken") return taken(path);
  if (moved === "gone" && !(await isMoved(files, dataset, image, path))) return `The file of ${image.path} is missing.`;
  const isPlaced = await place(db, image, path, key).catch((error) => {
    if (codeOf(error) === "23505") return false;
    throw error;
  });
  if (isPlaced || (await isAt(db, image.id, path))) return undefined;
  await files.images.move(dataset.folder, path, image.path);
  return `${image.path} was changed by another user in the meantime.`;
}

/** Updates the row. Returns false if the image is no longer at its old path. */
function place(db: Kysely<Schema>, image: StoredImage, path: string, key?: ChangeKey): Promise<boolean> {
  return transaction(db, async (trx) => {
    const isPlaced = await moveImageFile(trx, image, path);
    if (isPlaced && key)
      await recordBefore(trx, key, {
        before: sql`jsonb_build_object('path', ${image.path}::text)`,
        after: sql`jsonb_build_object('path', path)`,
        which: sql`id = ${image.id}::integer`,
      });
    return isPlaced;
  });
}

const taken = (path: string) => `There is already an image at ${path}.`;

/** Returns true if the file is already at its new path: the process was killed before it updated the row. */
async function isMoved(files: Files, { folder }: Folder, { hash }: StoredImage, path: string): Promise<boolean> {
  if (!(await files.images.state(folder, path))) return false;
  const facts = await files.images.probe(folder, path).catch((error) => {
    if (error instanceof ImageError) return undefined;
    throw error;
  });
  return facts?.hash === hash;
}

/** Returns true if the row has the new path: a scan may have found the moved file first. */
async function isAt(db: Kysely<Schema>, id: number, path: string): Promise<boolean> {
  const row = await db
    .selectFrom("images")
    .select("id")
    .where("id", "=", id)
    .where("path", "=", path)
    .executeTakeFirst();
  return row !== undefined;
}
