import { sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema";
import type { Live } from "../../live/live";

/**
 * Helpers for bulk writes, which change many images without a history row for each. Instead, the images' revisions
 * rise, and open pages reload the images.
 */

/** Locks the images' rows in the order of ids, as every writer of annotations does first, so that no two deadlock. */
export async function lockImages(trx: Transaction<Schema>, ids: readonly number[]): Promise<void> {
  await sql`select from images where id = any(${ids}::int[]) order by id for update`.execute(trx);
}

/** An image whose open pages must be notified, with its revision. */
export interface RaisedImage {
  id: number;
  revision: number;
}

/**
 * Raises the images' revisions and makes open pages reload them. `more`: further columns to set, beginning with a
 * comma.
 */
export async function raiseImages(
  trx: Transaction<Schema>,
  ids: readonly number[],
  more = sql``,
): Promise<RaisedImage[]> {
  const { rows } = await sql<RaisedImage>`
    update images set revision = revision + 1, reload_revision = revision + 1 ${more}
    where id = any(${ids}::int[]) returning id, revision`.execute(trx);
  return rows;
}

/**
 * Columns that every `update annotations a` of a bulk write sets: the revision rises, and an annotation that is
 * unchanged since its import still counts as unchanged (see migrations/0004-trash.ts).
 */
export const RAISED = sql`revision = a.revision + 1,
  import_revision = case when a.import_revision = a.revision then a.revision + 1 else a.import_revision end`;

/** Notifies each image's room once, without naming an annotation, so that open pages fetch the image's changes. */
export function notifyRaisedImages(live: Live, images: readonly RaisedImage[]): void {
  for (const { id, revision } of images)
    live.notifyImageRoom({
      action: "modify",
      annotation: { id: 0, image_id: id, category_id: 0, uuid: "" },
      category_id: 0,
      uuid: null,
      image_id: id,
      image_revision: revision,
    });
}
