import { sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema";
import type { Live } from "../../live/live";

/**
 * Changes of many images at once. They write no history row each: the images' revisions rise, and whoever has one of
 * them open loads it again.
 */

/** The images' rows first and in order, as every writer of annotations locks them. */
export async function lockImages(trx: Transaction<Schema>, ids: readonly number[]): Promise<void> {
  await sql`select from images where id = any(${ids}::int[]) order by id for update`.execute(trx);
}

export interface Raised {
  id: number;
  revision: number;
}

/** `more` are further columns to set, beginning with a comma. */
export async function raiseImages(trx: Transaction<Schema>, ids: readonly number[], more = sql``): Promise<Raised[]> {
  const { rows } = await sql<Raised>`
    update images set revision = revision + 1, reload_revision = revision + 1 ${more}
    where id = any(${ids}::int[]) returning id, revision`.execute(trx);
  return rows;
}

/**
 * Further columns that `update annotations a` sets: the revision rises, and what is as an import brought it counts as the import's
 * still (see migrations/0004-bin.ts).
 */
export const RAISED = sql`revision = a.revision + 1,
  import_revision = case when a.import_revision = a.revision then a.revision + 1 else a.import_revision end`;

/** One hint for each image, which names no annotation: who has it open asks what became of it. */
export function tellRaised(live: Live, images: readonly Raised[]): void {
  for (const { id, revision } of images)
    live.tellImage({
      action: "modify",
      annotation: { id: 0, image_id: id, category_id: 0, uuid: "" },
      category_id: 0,
      uuid: null,
      image_id: id,
      image_revision: revision,
    });
}
