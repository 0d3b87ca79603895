import { randomUUID } from "node:crypto";
import type { Instance } from "../../../shared/api/undo";
import { notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { lockAnnotation } from "../annotations/findAnnotation";
import { notifyRaisedImages } from "../bulk/bulkWrite";
import { storeForCall } from "../edits/storeForCall";
import { invalidateCachedFigures } from "../images/staleWhileRevalidate";
import type { Services } from "../services";
import { annotationInBin, categoryInBin, datasetInBin, imageInBin } from "./inBin";
import { rollBackImport } from "./rollBackImport";

/** Work that goes on after the answer. */
export interface Going {
  task?: { id: number; name: string };
}

type RollBack = (services: Services, user: CurrentUser, id: number) => Promise<Going>;

/**
 * Brings back something deleted, with all that it had: what lay in it was never touched. What is there stays there, so
 * that twice is once. Throws 403, 404, and 409 where an import is just being undone.
 */
export const rollBack = (services: Services, user: CurrentUser, instance: Instance, id: number): Promise<Going> =>
  ROLL_BACK[instance](services, user, id);

const LIVE = { deleted_at: null, deleted_by: null };

const ROLL_BACK: Record<Instance, RollBack> = {
  async dataset({ db }, user, id) {
    await datasetInBin(db, user, id, "roll back");
    const { numUpdatedRows } = await db
      .updateTable("datasets")
      .set(LIVE)
      .where("id", "=", id)
      .where("purged_at", "is", null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound("Invalid id");
    invalidateCachedFigures(db, id);
    return {};
  },

  async image({ db, live }, user, id) {
    const { image, dataset } = await imageInBin(db, user, id, "roll back");
    const { numUpdatedRows } = await db.updateTable("images").set(LIVE).where("id", "=", id).executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound("Invalid id");
    invalidateCachedFigures(db, dataset.id);
    notifyRaisedImages(live, [image]);
    return {};
  },

  async category({ db }, user, id) {
    await categoryInBin(db, user, id, "roll back");
    const { numUpdatedRows } = await db
      .updateTable("categories")
      .set(LIVE)
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound("Invalid id");
    return {};
  },

  /** An edit like any other, so that counts, history, open pages and their undo follow. */
  async annotation(services, user, id) {
    await annotationInBin(services.db, user, id, "roll back");
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
