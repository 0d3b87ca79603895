import type { Kysely } from "kysely";
import { badRequest, conflict } from "../../base/errors";
import type { ImageRow, Schema } from "../../db/schema";
import type { PictureFacts } from "../../files/decode/probe";
import { PictureError } from "../../files/paths/pictureError";
import type { Pictures } from "../../files/pictures";
import { imagesChanged } from "./keptBriefly";
import { fileFactsOf, movePicture, pictureRow, picturesWithBytes } from "./pictureRow";

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
  pictures: Pictures;
  dataset: { id: number; folder: string };
}

/**
 * Adds an uploaded file to a dataset, at a path that newPicturePath has checked. The file comes first and the row
 * afterwards: after a crash between them a scan, or the same upload again, makes the row. Throws PictureError for what
 * is no image, 409 where another image has the path.
 */
export async function addPicture(target: Target, path: string, file: string): Promise<Added> {
  const { db, pictures, dataset } = target;
  const facts = await pictures.probeUpload(file);
  const present = await pictureAt(db, dataset.id, path);
  if (present && present.hash !== facts.hash) throw conflict(present.deleted_at ? IN_BIN : EXISTS);
  const stored = await pictures.store(dataset.folder, path, file, facts.hash);
  if (stored === "different") throw conflict(EXISTS);
  const placed = (await pictures.state(dataset.folder, path)) ?? facts;
  const added = await ensureRow(target, path, { ...facts, ...placed });
  // The image that was here may just have been deleted for good, and its file with it.
  if (stored === "same" && !(await pictures.state(dataset.folder, path)))
    await pictures.store(dataset.folder, path, file, facts.hash);
  if (added.status !== "known") imagesChanged(db, dataset.id);
  return added;
}

/** As addPicture; what is wrong with the file is told as 400, as an answer to a request. */
export async function addUpload(target: Target, path: string, file: string): Promise<Added> {
  return addPicture(target, path, file).catch((error) => {
    throw error instanceof PictureError ? badRequest(`The file cannot be read as a picture: ${error.message}.`) : error;
  });
}

/** A bare message is what older scripts look for. */
const EXISTS = "file already exists";
const IN_BIN = "A picture of this name with other content is in the bin";

type Present = Pick<ImageRow, "id" | "hash" | "deleted_at">;

function pictureAt(db: Kysely<Schema>, datasetId: number, path: string): Promise<Present | undefined> {
  return db
    .selectFrom("images")
    .select(["id", "hash", "deleted_at"])
    .where("dataset_id", "=", datasetId)
    .where("path", "=", path)
    .executeTakeFirst();
}

async function ensureRow(target: Target, path: string, facts: PictureFacts): Promise<Added> {
  const { db, dataset } = target;
  const present = await pictureAt(db, dataset.id, path);
  const kept = present && (await reuse(db, present, facts));
  if (kept) return kept;
  const moved = await findMoved(target, path, facts);
  if (moved !== undefined) return { id: moved, status: "restored" };
  const made = await db
    .insertInto("images")
    .values(pictureRow(dataset.id, path, facts))
    .onConflict((conflict) => conflict.columns(["dataset_id", "path"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (made) return { id: made.id, status: "added" };
  const rival = await pictureAt(db, dataset.id, path);
  const same = rival && (await reuse(db, rival, facts));
  if (!same) throw conflict(EXISTS);
  return same;
}

/** Undefined when the image was deleted for good meanwhile. */
async function reuse(db: Kysely<Schema>, present: Present, facts: PictureFacts): Promise<Added | undefined> {
  if (present.hash !== facts.hash) throw conflict(EXISTS);
  const { numUpdatedRows } = await db
    .updateTable("images")
    .set({ ...fileFactsOf(facts), deleted_at: null, deleted_by: null })
    .where("id", "=", present.id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 0n ? undefined : { id: present.id, status: present.deleted_at ? "restored" : "known" };
}

async function findMoved({ db, pictures, dataset }: Target, path: string, facts: PictureFacts) {
  for (const picture of await picturesWithBytes(db, dataset.id, [facts.hash])) {
    const isGone = (await pictures.state(dataset.folder, picture.path)) === undefined;
    if (isGone && (await movePicture(db, picture, path, facts))) return picture.id;
  }
  return undefined;
}
