import { type Kysely, sql } from "kysely";
import { notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import type { Services } from "../services";
import { imageInTrash, requireDeleted, type TrashedEntry } from "./inTrash";

/**
 * Deletes an image for good: its row with annotations, history and times, and its file. The file goes to the trash
 * folder first, so that no scan adds it again. If the row is not deleted (it was rolled back in the meantime), the file
 * is put back immediately, or by the next sweep after a crash.
 */
export async function purgeImage({ db, files }: Services, user: CurrentUser, trashed: TrashedEntry): Promise<void> {
  const { id } = trashed;
  const { image, dataset } = await imageInTrash(db, user, id, "delete");
  requireDeleted("image", image.deleted_at, trashed);
  const entry = `image-${id}`;
  await files.trash.discard(entry, { ...image, folder: dataset.folder }, { durable: true });
  let isRemoved = false;
  try {
    isRemoved = await transaction(db, async (trx) => (await removeImages(trx, [id], { onlyDeleted: true })) > 0);
  } finally {
    if (!isRemoved && (await rowExists(db, id)))
      await files.trash.putBack(entry, dataset.folder, async (path) => path === image.path);
  }
  if (!isRemoved) throw notFound("Invalid id");
}

/**
 * Returns true if the row exists. Returns false if the query fails: the sweep then puts the files back if necessary.
 */
async function rowExists(db: Kysely<Schema>, id: number): Promise<boolean> {
  const row = await db
    .selectFrom("images")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst()
    .catch(() => undefined);
  return row !== undefined;
}

/**
 * Removes the rows of images with everything that refers to them, and returns their number. Edits of categories made
 * while an image was open belong to the categories' history and stay.
 */
export async function removeImages(
  trx: Kysely<Schema>,
  ids: readonly number[],
  { onlyDeleted }: { onlyDeleted: boolean },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from images where id = any(${ids}::int[]) and (not ${onlyDeleted}::boolean or deleted_at is not null)
    order by id for update`.execute(trx);
  const gone = rows.map(({ id }) => id);
  if (gone.length === 0) return 0;
  await sql`
    update edit_history set image_id = null, image_revision = null
    where image_id = any(${gone}::int[]) and subject = 'category'`.execute(trx);
  await sql`delete from images where id = any(${gone}::int[])`.execute(trx);
  return gone.length;
}
