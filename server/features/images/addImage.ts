import type { Kysely } from "kysely";
import { badRequest, conflict } from "../../base/errors";
import { insertImages } from "../../db/rows/images";
import type { ImageRow, Schema } from "../../db/schema";
import type { ImageFacts } from "../../files/decode/probe";
import type { ImageFiles } from "../../files/imageFiles";
import { ImageError } from "../../files/paths/imageError";
import { fileFactsOf, imagesWithBytes, moveImageFile, newImageRow } from "./newImageRow";
import { noteActivity } from "./noteActivity";
import { invalidateCachedFigures } from "./staleWhileRevalidate";

/**
 * Result of adding an image. `known`: the dataset already had this path with these bytes. `restored`: the image came
 * back from the trash, or its file was missing and is now stored under this path.
 */
export interface Added {
  id: number;
  status: "added" | "known" | "restored";
}

interface Target {
  db: Kysely<Schema>;
  images: ImageFiles;
  dataset: { id: number; folder: string };
}

/**
 * Adds an uploaded file to a dataset, at a path checked by newImagePath. The file is stored before the row: after a
 * crash in between, a scan or the same upload again creates the row. Throws ImageError if the file is not an image, and
 * 409 if another image has the path.
 */
export async function addImage(target: Target, path: string, file: string): Promise<Added> {
  const { db, images, dataset } = target;
  const facts = await images.probeUpload(file);
  const present = await imageAt(db, dataset.id, path);
  if (present && present.hash !== facts.hash) throw conflict(present.deleted_at ? IN_TRASH : EXISTS);
  const stored = await images.store(dataset.folder, path, file, facts.hash);
  if (stored === "different") throw conflict(EXISTS);
  const placed = (await images.state(dataset.folder, path)) ?? facts;
  const added = await ensureRow(target, path, { ...facts, ...placed });
  // The image at this path may have been deleted for good in the meantime, and its file with it.
  if (stored === "same" && !(await images.state(dataset.folder, path)))
    await images.store(dataset.folder, path, file, facts.hash);
  if (added.status !== "known") invalidateCachedFigures(db, dataset.id);
  return added;
}

/** Adds an image of a user like addImage, but throws 400 if the file cannot be read, for use in a request. */
export async function addUpload(target: Target, userId: number, path: string, file: string): Promise<Added> {
  const added = await addImage(target, path, file).catch((error) => {
    throw error instanceof ImageError ? badRequest(`The file cannot be read as an image: ${error.message}.`) : error;
  });
  if (added.status !== "known") await noteActivity(target.db, userId, [target.dataset.id]);
  return added;
}

/** Older scripts compare this text. */
const EXISTS = "file already exists";
const IN_TRASH = "A different image with this name is in the trash";

type Present = Pick<ImageRow, "id" | "hash" | "deleted_at">;

function imageAt(db: Kysely<Schema>, datasetId: number, path: string): Promise<Present | undefined> {
  return db
    .selectFrom("images")
    .select(["id", "hash", "deleted_at"])
    .where("dataset_id", "=", datasetId)
    .where("path", "=", path)
    .executeTakeFirst();
}

async function ensureRow(target: Target, path: string, facts: ImageFacts): Promise<Added> {
  const { db, dataset } = target;
  const present = await imageAt(db, dataset.id, path);
  const reused = present && (await reuseRow(db, present, facts));
  if (reused) return reused;
  const moved = await moveMissing(target, path, facts);
  if (moved !== undefined) return { id: moved, status: "restored" };
  const [made] = await insertImages(db, [newImageRow(dataset.id, path, facts)]);
  if (made) return { id: made.id, status: "added" };
  const rival = await imageAt(db, dataset.id, path);
  const same = rival && (await reuseRow(db, rival, facts));
  if (!same) throw conflict(EXISTS);
  return same;
}

/**
 * Updates the row of an image with the same bytes and brings it back from the trash. Returns undefined if it was
 * deleted for good in the meantime. Throws 409 for other bytes.
 */
async function reuseRow(db: Kysely<Schema>, present: Present, facts: ImageFacts): Promise<Added | undefined> {
  if (present.hash !== facts.hash) throw conflict(EXISTS);
  const { numUpdatedRows } = await db
    .updateTable("images")
    .set({ ...fileFactsOf(facts), deleted_at: null, deleted_by: null })
    .where("id", "=", present.id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 0n ? undefined : { id: present.id, status: present.deleted_at ? "restored" : "known" };
}

/** Moves an image with these bytes whose file is missing to `path`. Returns its id, or undefined if there is none. */
async function moveMissing({ db, images, dataset }: Target, path: string, facts: ImageFacts) {
  for (const image of await imagesWithBytes(db, dataset.id, [facts.hash])) {
    const isGone = (await images.state(dataset.folder, image.path)) === undefined;
    if (isGone && (await moveImageFile(db, image, path, facts))) return image.id;
  }
  return undefined;
}
