import { sql } from "kysely";
import type { Instance } from "../../../shared/api/undo";
import { notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { transaction } from "../../db/transaction";
import type { Services } from "../services";
import { annotationInTrash, requireDeleted, type TrashedEntry } from "./inTrash";
import { purgeCategory } from "./purgeCategory";
import { purgeImage } from "./purgeImage";
import type { StartedTask } from "./rollBack";
import { startPurgeOfDataset, startPurgeOfImport } from "./startPurge";

type Delete = (services: Services, user: CurrentUser, entry: TrashedEntry) => Promise<StartedTask>;

/**
 * Deletes an entry of the trash for good: its rows, and its files, which are first moved to the trash folder. A dataset
 * or an import is hidden at once and removed by a task. Throws 403, 404, and 409 if it is not deleted, was deleted
 * again, or is still in use.
 */
export const deleteForGood = (
  services: Services,
  user: CurrentUser,
  instance: Instance,
  entry: TrashedEntry,
): Promise<StartedTask> => DELETE[instance](services, user, entry);

const DELETE: Record<Instance, Delete> = {
  annotation: deleteAnnotation,
  category: async ({ db }, user, entry) => {
    await purgeCategory(db, user, entry);
    return {};
  },
  image: async (services, user, entry) => {
    await purgeImage(services, user, entry);
    return {};
  },
  dataset: startPurgeOfDataset,
  import: startPurgeOfImport,
};

/**
 * Deletes an annotation with its history. Counts and open pages need no update, since they do not include deleted
 * annotations.
 */
async function deleteAnnotation({ db }: Services, user: CurrentUser, entry: TrashedEntry): Promise<StartedTask> {
  const { id } = entry;
  const { image_id, deleted_at } = await annotationInTrash(db, user, id, "delete");
  requireDeleted("annotation", deleted_at, entry);
  const isDeleted = await transaction(db, async (trx) => {
    await sql`select from images where id = ${image_id} for update`.execute(trx);
    const row = await trx
      .deleteFrom("annotations")
      .where("id", "=", id)
      .where("deleted_at", "is not", null)
      .returning("uuid")
      .executeTakeFirst();
    if (!row) return false;
    await trx
      .deleteFrom("edit_history")
      .where("subject", "=", "annotation")
      .where("subject_id", "=", row.uuid)
      .execute();
    return true;
  });
  if (!isDeleted) throw notFound("Invalid id");
  return {};
}
