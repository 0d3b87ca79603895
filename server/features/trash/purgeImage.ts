import { type Kysely, sql } from "kysely";
import { notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import type { Services } from "../services";
import { imageInBin, requireDeleted } from "./inBin";

/**
 * Deletes an image for good: its row with annotations, history and times, and its file. The file goes first, so that no
 * scan takes it in again; where the row stays after all (somebody has rolled it back meanwhile), it is put back at once,
 * and after a kill by the next sweep.
 */
export async function purgeImage({ db, files }: Services, user: CurrentUser, id: number): Promise<void> {
  const { image, dataset } = await imageInBin(db, user, id, "delete");
  requireDeleted("image", image.deleted_at);
  const entry = `image-${id}`;
  await files.trash.discard(entry, { ...image, folder: dataset.folder }, { durable: true });
  let gone = false;
  try {
    gone = await transaction(db, async (trx) => (await removeImages(trx, [id], { onlyDeleted: true })) > 0);
  } finally {
    if (!gone && (await isThere(db, id)))
      await files.trash.putBack(entry, dataset.folder, async (path) => path === image.path);
  }
  if (!gone) throw notFound("Invalid id");
}

/** Returns true if the row exists. Returns false if the query fails: the sweep then puts the files back if need be. */
async function isThere(db: Kysely<Schema>, id: number): Promise<boolean> {
  const row = await db
    .selectFrom("images")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst()
    .catch(() => undefined);
  return row !== undefined;
}

/**
 * Removes rows of images with all that hangs on them; answers their number. What was changed of categories while a
 * image was open is the categories' history, and stays.
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
