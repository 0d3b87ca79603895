import { type Kysely, sql } from "kysely";
import { codeOf, conflict, notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { categoryInTrash, requireDeleted, type TrashedEntry } from "./inTrash";

/**
 * Deletes a category for good. Throws 409 with the number of uses while annotations use it, even those in the trash, or
 * images are labelled with it: deleting a name must not delete any work.
 */
export async function purgeCategory(db: Kysely<Schema>, user: CurrentUser, entry: TrashedEntry): Promise<void> {
  const { id } = entry;
  const { deleted_at } = await categoryInTrash(db, user, id, "delete");
  requireDeleted("category", deleted_at, entry);
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
    // An annotation of this category was created at the same time.
    throw codeOf(error) === "23503" ? conflict("Annotations use this category.") : error;
  });
}

/** Returns a sentence about the category's uses, or undefined if there are none. */
async function usesOf(trx: Kysely<Schema>, id: number): Promise<string | undefined> {
  const { rows } = await sql<{ annotations: number; trashed: number; labelled: number }>`
    select count(*) as annotations, count(*) filter (where a.deleted_at is not null) as trashed,
      (select count(*) from images where labels @> array[${id}::integer]) as labelled
    from annotations a where a.category_id = ${id}::integer`.execute(trx);
  const { annotations = 0, trashed = 0, labelled = 0 } = rows[0] ?? {};
  if (annotations > 0) {
    const among = trashed > 0 ? ` (${trashed} of them in the trash)` : "";
    return `${annotations} ${annotations === 1 ? "annotation uses" : "annotations use"} this category${among}.`;
  }
  if (labelled > 0) return `${labelled} ${labelled === 1 ? "image is" : "images are"} labelled with this category.`;
  return undefined;
}
