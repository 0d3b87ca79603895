import type { Kysely } from "kysely";
import { badRequest, conflict } from "../../base/errors";
import type { ImageRow, Schema } from "../../db/schema";
import type { ImageFacts } from "../../files/decode/probe";
import type { ImageFiles } from "../../files/imageFiles";
import { ImageError } from "../../files/paths/imageError";
import { imagesChanged } from "./keptBriefly";
import { fileFactsOf, imagesWithBytes, moveImageFile, newImageRow } from "./newImageRow";

/**
 * `known`: the dataset has this path with these bytes already. `restored`: it came back from the trash, or its image's
 * file was gone and is there again under this path.
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
 * Adds an uploaded file to a dataset, at a path that newImagePath has checked. The file comes first and the row
 * afterwards: after a crash between them a scan, or the same upload again, makes the row. Throws ImageError for what
 * is no image, 409 where another image has the path.
 */
export async function addImage(target: Target, path: string, file: string): Promise<Added> {
  const { db, images, dataset } = target;
  const facts = await images.probeUpload(file);
  const present = await imageAt(db, dataset.id, path);
  if (present && present.hash !== facts.hash) throw conflict(present.deleted_at ? IN_BIN : EXISTS);
  const stored = await images.store(dataset.folder, path, file, facts.hash);
  if (stored === "different") throw conflict(EXISTS);
  const placed = (await images.state(dataset.folder, path)) ?? facts;
  const added = await ensureRow(target, path, { ...facts, ...placed });
  // The image that was here may just have been deleted for good, and its file with it.
  if (stored === "same" && !(await images.state(dataset.folder, path)))
    await images.store(dataset.folder, path, file, facts.hash);
  if (added.status !== "known") imagesChanged(db, dataset.id);
  return added;
}

/** As addImage; what is wrong with the file is told as 400, as an answer to a request. */
export async function addUpload(target: Target, path: string, file: string): Promise<Added> {
  return addImage(target, path, file).catch((error) => {
    throw error instanceof ImageError ? badRequest(`The file cannot be read as an image: ${error.message}.`) : error;
  });
}

/** A bare message is what older scripts look for. */
const EXISTS = "file already exists";
const IN_BIN = "An image of this name with other content is in the trash";

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
  const kept = present && (await reuse(db, present, facts));
  if (kept) return kept;
  const moved = await findMoved(target, path, facts);
  if (moved !== undefined) return { id: moved, status: "restored" };
  const made = await db
    .insertInto("images")
    .values(newImageRow(dataset.id, path, facts))
    .onConflict((conflict) => conflict.columns(["dataset_id", "path"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (made) return { id: made.id, status: "added" };
  const rival = await imageAt(db, dataset.id, path);
  const same = rival && (await reuse(db, rival, facts));
  if (!same) throw conflict(EXISTS);
  return same;
}

/** Undefined when the image was deleted for good meanwhile. */
async function reuse(db: Kysely<Schema>, present: Present, facts: ImageFacts): Promise<Added | undefined> {
  if (present.hash !== facts.hash) throw conflict(EXISTS);
  const { numUpdatedRows } = await db
    .updateTable("images")
    .set({ ...fileFactsOf(facts), deleted_at: null, deleted_by: null })
    .where("id", "=", present.id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 0n ? undefined : { id: present.id, status: present.deleted_at ? "restored" : "known" };
}

async function findMoved({ db, images, dataset }: Target, path: string, facts: ImageFacts) {
  for (const image of await imagesWithBytes(db, dataset.id, [facts.hash])) {
    const isGone = (await images.state(dataset.folder, image.path)) === undefined;
    if (isGone && (await moveImageFile(db, image, path, facts))) return image.id;
  }
  return undefined;
}
