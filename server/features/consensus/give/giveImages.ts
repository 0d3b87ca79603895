import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type Kysely, sql } from "kysely";
import type { Json } from "../../../../shared/entities/scalars";
import { HttpError } from "../../../base/errors";
import { isLiveImage } from "../../../db/rows/images";
import type { Schema } from "../../../db/schema";
import { transaction } from "../../../db/transaction";
import type { Files } from "../../../files/files";
import type { ImageFiles } from "../../../files/imageFiles";
import { ImageError } from "../../../files/paths/imageError";
import type { Live } from "../../../live/live";
import { countsSoFar } from "../../../queue/countsSoFar";
import type { TaskHelpers } from "../../../queue/task";
import { addImage } from "../../images/addImage";
import { invalidateCachedFigures } from "../../images/staleWhileRevalidate";
import { type CopyDataset, copyDataset } from "./copyDataset";
import { storeTruth } from "./takeBack";

type Tools = TaskHelpers & { files: Files; live: Live };

interface Original {
  id: number;
  path: string;
}

/**
 * Gives each of the users a copy of each of the images. A copy that the user has stays, and one that was taken back is
 * restored with its annotations. With `isTruth`, the annotations of each image with a copy are stored as known to be
 * true; a task that is cancelled before it has started stores nothing. A repeat continues after the copies that an
 * earlier attempt has given.
 */
export async function giveImages(
  tools: Tools,
  source: { id: number; name: string; folder: string },
  imageIds: readonly number[],
  userIds: readonly number[],
  isTruth: boolean,
): Promise<Json> {
  const { db, files, live, signal, progress, keepResult, info, warn } = tools;
  let { done, ...counts } = countsSoFar(tools, { given: 0, kept: 0, failed: 0, done: 0 });
  for (const [i, userId] of userIds.entries()) {
    const [start, end] = [i * imageIds.length, (i + 1) * imageIds.length];
    if (done >= end) continue;
    const target = await copyDataset(db, files.images, source, userId);
    if (!target) warn("A user was deleted meanwhile.");
    for (const imageId of target ? imageIds.slice(done - start) : []) {
      signal.throwIfAborted();
      const original = await findOriginal(db, source.id, imageId);
      if (original) {
        const outcome = await giveImage({ db, files, warn }, source.folder, target!, original, userId);
        counts[outcome]++;
        if (isTruth && outcome !== "failed") await storeTruth(db, source.id, { ids: [imageId], is_truth: true });
      }
      keepResult({ what: "giveImages", ...counts, done: ++done });
      progress(Math.min(99, (100 * done) / (imageIds.length * userIds.length)));
    }
    done = end;
    if (!target) continue;
    invalidateCachedFigures(db, target.id);
    live.notifyWork(target.id, [userId], "assignments");
  }
  info(`Gave ${counts.given} image(s); ${counts.kept} were given before; ${counts.failed} failed.`);
  return { what: "giveImages", ...counts };
}

function findOriginal(db: Kysely<Schema>, datasetId: number, id: number): Promise<Original | undefined> {
  return db
    .selectFrom("images")
    .select(["id", "path"])
    .where("id", "=", id)
    .where("dataset_id", "=", datasetId)
    .where(isLiveImage())
    .executeTakeFirst();
}

async function giveImage(
  { db, files, warn }: Pick<Tools, "db" | "files" | "warn">,
  folder: string,
  target: CopyDataset,
  original: Original,
  userId: number,
): Promise<"given" | "kept" | "failed"> {
  const known = await restoreCopy(db, target.id, original.id, userId);
  if (known) return known;
  try {
    const id = await copyFile({ db, images: files.images }, folder, target, original.path);
    if (id === undefined) {
      warn(`${original.path} has no file.`);
      return "failed";
    }
    await transaction(db, async (trx) => {
      await sql`
        insert into consensus_copies (image_id, original_id) select ${id}::integer, id from images
        where id = ${original.id}::integer on conflict do nothing`.execute(trx);
      // Shows the copy among the user's own work.
      await sql`update images set assignee_id = ${userId}::integer where id = ${id}::integer`.execute(trx);
    });
    return "given";
  } catch (error) {
    if (!(error instanceof ImageError || (error instanceof HttpError && error.status < 500))) throw error;
    warn(`${original.path}: ${error.message}`);
    return "failed";
  }
}

/**
 * Restores a copy that was taken back, and assigns one that nobody is assigned to. Returns undefined if there never was
 * a copy.
 */
async function restoreCopy(db: Kysely<Schema>, datasetId: number, originalId: number, userId: number) {
  const { rows } = await sql<{ id: number; deleted_at: Date | null; assignee_id: number | null }>`
    select i.id, i.deleted_at, i.assignee_id from consensus_copies c join images i on i.id = c.image_id
    where c.original_id = ${originalId}::integer and i.dataset_id = ${datasetId}::integer`.execute(db);
  const [copy] = rows;
  if (!copy) return undefined;
  if (copy.deleted_at || copy.assignee_id === null)
    await sql`update images set deleted_at = null, deleted_by = null,
      assignee_id = coalesce(assignee_id, ${userId}::integer) where id = ${copy.id}`.execute(db);
  return copy.deleted_at ? "given" : "kept";
}

/** Copies an image's file into another dataset and returns the new image's id; undefined if there is no file. */
async function copyFile(
  { db, images }: { db: Kysely<Schema>; images: ImageFiles },
  folder: string,
  target: CopyDataset,
  path: string,
): Promise<number | undefined> {
  const file = await images.open(folder, path);
  if (!file) return undefined;
  const copy = await images.temporary.make();
  try {
    await pipeline(await file.stream(), createWriteStream(copy));
    return (await addImage({ db, images, dataset: target }, path, copy)).id;
  } finally {
    await images.temporary.remove(copy);
  }
}
