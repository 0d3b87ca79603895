import { randomUUID } from "node:crypto";
import type { Instance } from "../../../shared/api/undo";
import { notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { lockAnnotation } from "../annotations/findAnnotation";
import { notifyRaisedImages } from "../bulk/bulkWrite";
import { notifyCategories } from "../categories/notifyCategories";
import { isWithCopies } from "../consensus/copies/copies";
import { storeForCall } from "../edits/storeForCall";
import { invalidateCachedFigures } from "../images/staleWhileRevalidate";
import type { Services } from "../services";
import { annotationInTrash, categoryInTrash, datasetInTrash, imageInTrash } from "./inTrash";
import { rollBackImport } from "./rollBackImport";

/** Task that continues the work after the response, if one is needed. */
export interface StartedTask {
  task?: { id: number; name: string };
}

type RollBack = (services: Services, user: CurrentUser, id: number) => Promise<StartedTask>;

/**
 * Restores an object from the trash, with everything inside it, which the deletion has not touched. Does nothing if it
 * is not deleted, so calling it twice has the same result as once. Throws 403, 404, and 409 while an import is being
 * undone.
 */
export const rollBack = (services: Services, user: CurrentUser, instance: Instance, id: number): Promise<StartedTask> =>
  ROLL_BACK[instance](services, user, id);

const LIVE = { deleted_at: null, deleted_by: null };

const ROLL_BACK: Record<Instance, RollBack> = {
  async dataset({ db }, user, id) {
    await datasetInTrash(db, user, id, "roll back");
    const { numUpdatedRows } = await db
      .updateTable("datasets")
      .set(LIVE)
      .where(isWithCopies(id))
      .where("purged_at", "is", null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound("Invalid id");
    invalidateCachedFigures(db, id);
    return {};
  },

  async image({ db, live }, user, id) {
    const { image, dataset } = await imageInTrash(db, user, id, "roll back");
    const { numUpdatedRows } = await db.updateTable("images").set(LIVE).where("id", "=", id).executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound("Invalid id");
    invalidateCachedFigures(db, dataset.id);
    notifyRaisedImages(live, [image]);
    return {};
  },

  async category({ db, live }, user, id) {
    await categoryInTrash(db, user, id, "roll back");
    const { numUpdatedRows } = await db
      .updateTable("categories")
      .set(LIVE)
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound("Invalid id");
    await notifyCategories({ db, live }, [id]);
    return {};
  },

  /** Stores an edit like any other, so that counts, history, open pages and their undo stay consistent. */
  async annotation(services, user, id) {
    await annotationInTrash(services.db, user, id, "roll back");
    await storeForCall(services, user, async (trx, store) => {
      const { row } = await lockAnnotation(trx, user, id);
      if (!row.deleted_at) return;
      const { uuid: target, image_id, revision: base } = row;
      const edit = { uuid: randomUUID(), subject: "annotation" as const, target, image_id, base };
      await store([{ ...edit, action: "create", before: {}, after: {} }]);
    });
    return {};
  },

  import: rollBackImport,
};
