import { type Kysely, sql } from "kysely";
import { codeOf, conflict, notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { categoryInBin, requireDeleted } from "./inBin";

/**
 * Deletes a category for good. Throws 409 with the number while annotations use it, those in the trash too, or images
 * are labelled with it: nobody's work goes with a word.
 */
export async function purgeCategory(db: Kysely<Schema>, user: CurrentUser, id: number): Promise<void> {
  const { deleted_at } = await categoryInBin(db, user, id, "delete");
  requireDeleted("category", deleted_at);
  await transaction(db, async (trx) => {
    await sql`select from categories where id = ${id} for update`.execute(trx);
    const uses = await usesOf(trx, id);
    if (uses) throw conflict(uses);
    const { numDeletedRows } = await trx
      .deleteFrom("categories")
      .where("id", "=", id)
      .where("deleted_at", "is not", null)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw notFound("Invalid id");
    await trx
      .deleteFrom("edit_history")
      .where("subject", "=", "category")
      .where("subject_id", "=", String(id))
      .execute();
  }).catch((error: unknown) => {
    // An annotation was made with it in this moment.
    throw codeOf(error) === "23503" ? conflict("Annotations use this category.") : error;
  });
}

/** As a sentence; undefined when nothing uses the category. */
async function usesOf(trx: Kysely<Schema>, id: number): Promise<string | undefined> {
  const { rows } = await sql<{ annotations: number; binned: number; labelled: number }>`
    select count(*) as annotations, count(*) filter (where a.deleted_at is not null) as binned,
      (select count(*) from images where labels @> array[${id}::integer]) as labelled
    from annotations a where a.category_id = ${id}::integer`.execute(trx);
  const { annotations = 0, binned = 0, labelled = 0 } = rows[0] ?? {};
  if (annotations > 0) {
    const among = binned > 0 ? ` (${binned} of them deleted, but not for good)` : "";
    return `${annotations} ${annotations === 1 ? "annotation uses" : "annotations use"} this category${among}.`;
  }
  if (labelled > 0) return `${labelled} ${labelled === 1 ? "image is" : "images are"} labelled with this category.`;
  return undefined;
}
