import { type Kysely, sql } from "kysely";
import { codeOf, HttpError } from "../../base/errors";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import type { Files } from "../../files/files";
import { ImageError } from "../../files/paths/imageError";
import { hasImage, moveImageFile } from "../images/newImageRow";
import { type Keeper, keepBefore } from "./before";
import { absent, type Outcome } from "./change";

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
 * Moves images of a dataset with their files to the paths that `targetOf` says, one by one. Nothing is overwritten: a
 * path that is taken, also by an image in the trash, is a failure, and the image stays where it was. The file goes first;
 * after a kill between file and row the same order once more, or a scan, sets the row right. For `keeper`, where the
 * images were is kept.
 */
export async function moveImages(
  tools: Tools,
  dataset: Folder,
  targetOf: (image: StoredImage) => string,
  ids: readonly number[],
  keeper?: Keeper,
): Promise<Outcome> {
  const images = await tools.db
    .selectFrom("images")
    .select(["id", "path", "file_name", "hash"])
    .where("id", "in", [...ids])
    .where("dataset_id", "=", dataset.id)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();
  const failures = absent(
    ids,
    images.map(({ id }) => id),
  );
  for (const image of images) {
    const message = await moveOne(tools, dataset, image, targetOf(image), keeper).catch(messageOf);
    if (message !== undefined) failures.push({ id: image.id, message });
  }
  return { changed: ids.length - failures.length, failures };
}

/** Returns the failure of one image; failures of the disk or the database end the whole. */
function messageOf(error: unknown): string {
  if (error instanceof HttpError && error.status < 500) return error.message;
  throw error;
}

/** Returns the reason why not; undefined if the image is in the folder. */
async function moveOne(
  { db, files }: Tools,
  dataset: Folder,
  image: StoredImage,
  path: string,
  keeper?: Keeper,
): Promise<string | undefined> {
  if (path === image.path) return undefined;
  if (await hasImage(db, dataset.id, path)) return taken(path);
  const moved = await files.images.move(dataset.folder, image.path, path);
  if (moved === "taken") return taken(path);
  if (moved === "gone" && !(await isMoved(files, dataset, image, path)))
    return `The file of ${image.path} is not there.`;
  const isPlaced = await place(db, image, path, keeper).catch((error) => {
    if (codeOf(error) === "23505") return false;
    throw error;
  });
  if (isPlaced || (await isAt(db, image.id, path))) return undefined;
  await files.images.move(dataset.folder, path, image.path);
  return `${image.path} was changed by another user meanwhile.`;
}

/** The row. False when the image is no longer where it was. */
function place(db: Kysely<Schema>, image: StoredImage, path: string, keeper?: Keeper): Promise<boolean> {
  return transaction(db, async (trx) => {
    const isPlaced = await moveImageFile(trx, image, path);
    if (isPlaced && keeper)
      await keepBefore(trx, keeper, {
        before: sql`jsonb_build_object('path', ${image.path}::text)`,
        after: sql`jsonb_build_object('path', path)`,
        which: sql`id = ${image.id}::integer`,
      });
    return isPlaced;
  });
}

const taken = (path: string) => `There is an image ${path} already.`;

/** Returns true if the file is in its new place already: a kill came between file and row. */
async function isMoved(files: Files, { folder }: Folder, { hash }: StoredImage, path: string): Promise<boolean> {
  if (!(await files.images.state(folder, path))) return false;
  const facts = await files.images.probe(folder, path).catch((error) => {
    if (error instanceof ImageError) return undefined;
    throw error;
  });
  return facts?.hash === hash;
}

/** A scan may have found the file in its new place first. */
async function isAt(db: Kysely<Schema>, id: number, path: string): Promise<boolean> {
  const row = await db
    .selectFrom("images")
    .select("id")
    .where("id", "=", id)
    .where("path", "=", path)
    .executeTakeFirst();
  return row !== undefined;
}
