import type { Json } from "../../../shared/entities/scalars";
import { Pace } from "../../db/pace";
import { transaction } from "../../db/transaction";
import type { Files } from "../../files/files";
import type { TaskHelpers } from "../../queue/task";
import { filesOf } from "../versions/versionFiles";
import { removeImages } from "./purgeImage";

/** Number of images in one transaction: enough for a few thousand annotations. */
const IMAGES = { first: 10, least: 1, most: 50 };

/**
 * Removes a dataset that was deleted for good: its images' files and rows with everything that refers to them, its
 * exports and versions, and its own row. Files that are not images of the dataset belong to the user and stay, together
 * with the folder. Continues after a crash.
 */
export async function purgeDataset(
  { db, files, signal, progress, info }: TaskHelpers & { files: Files },
  id: number,
): Promise<Json> {
  const dataset = await db
    .selectFrom("datasets")
    .select(["id", "folder"])
    .where("id", "=", id)
    .where("purged_at", "is not", null)
    .executeTakeFirst();
  if (!dataset) return { images: 0 };
  const { total } = await db
    .selectFrom("images")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("dataset_id", "=", id)
    .executeTakeFirstOrThrow();
  const pace = new Pace(IMAGES);
  let removed = 0;
  for (;;) {
    signal.throwIfAborted();
    const images = await db
      .selectFrom("images")
      .select(["id", "path", "hash"])
      .where("dataset_id", "=", id)
      .orderBy("id")
      .limit(pace.amount)
      .execute();
    if (images.length === 0) break;
    for (const { path, hash } of images)
      await files.trash.discard(`dataset-${id}`, { folder: dataset.folder, path, hash });
    const ids = images.map((image) => image.id);
    await transaction(db, (trx) => pace.time(ids.length, () => removeImages(trx, ids, { onlyDeleted: false })));
    removed += images.length;
    progress(Math.min(99, (100 * removed) / Math.max(1, total)));
  }
  await files.trash.removeEmptyFolders(dataset.folder);
  const exports = await db.selectFrom("exports").select("file").where("dataset_id", "=", id).execute();
  const versions = await db
    .selectFrom("versions")
    .select(["file", "entries_file"])
    .where("dataset_id", "=", id)
    .execute();
  await db.deleteFrom("datasets").where("id", "=", id).execute();
  const unused = [...exports.map(({ file }) => file), ...versions.flatMap(filesOf)];
  for (const file of unused) await files.transfers.removeExport(file);
  info(`${removed} images deleted`);
  return { images: removed };
}
