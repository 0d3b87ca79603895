import type { Kysely } from "kysely";
import type { Instance } from "../../../shared/api/undo";
import { absentAs, conflict, forbidden, notFound } from "../../base/errors";
import { type CurrentUser, isOwner, mayChangeCategory, mayEdit, mayManage, maySee } from "../../base/permissions";
import { isVisibleAnnotation } from "../../db/rows/annotations";
import type { Schema } from "../../db/schema";
import { type DatasetAccess, datasetAndTies, datasetsSeenBy, visibleDataset, visibleImage } from "../access/access";

/**
 * Loads the object that a user wants to roll back or delete for good, deleted or not, and checks the user's rights.
 * Only the owner and admins delete anything for good, or roll back datasets. Images are rolled back by maintainers,
 * annotations by annotators, and imports by maintainers and the annotator who made them. Categories require their
 * creator. A user who may see the object but lacks the right gets 403, all others 404. Anything inside a deleted parent
 * gives 404: it is restored, or deleted for good, with its parent.
 */
export type TrashAction = "roll back" | "delete";

const ABSENT = "Invalid id";
const absent = () => notFound(ABSENT);
const refused = (action: TrashAction, instance: Instance) =>
  forbidden(`You do not have permission to ${action} this ${instance}`);

/** An entry of the trash that a user wants to delete for good. */
export interface TrashedEntry {
  id: number;
  /** Time of the deletion that the user saw; undefined for clients that do not send it. */
  date: Date | undefined;
}

/**
 * Throws 409 if the object is not in the trash, because nothing live is deleted for good in one step. Also throws 409
 * if the object was restored and deleted again after the user saw it, since it may contain new work.
 */
export function requireDeleted(instance: Instance, deletedAt: Date | null, { date }: TrashedEntry): void {
  if (!deletedAt) throw conflict(`This ${instance} is not deleted.`);
  if (date && date.getTime() !== deletedAt.getTime())
    throw conflict(`This ${instance} was restored and deleted again in the meantime.`);
}

export async function datasetInTrash(db: Kysely<Schema>, user: CurrentUser, id: number, action: TrashAction) {
  const row = await datasetAndTies(db, user, id).where("datasets.purged_at", "is", null).executeTakeFirst();
  if (!row || !maySee(user, row)) throw absent();
  if (!isOwner(user, row)) throw refused(action, "dataset");
  return row;
}

export async function imageInTrash(db: Kysely<Schema>, user: CurrentUser, id: number, action: TrashAction) {
  const image = await db.selectFrom("images").selectAll().where("id", "=", id).executeTakeFirst();
  if (!image) throw absent();
  const dataset = await seenDataset(db, user, image.dataset_id);
  if (!may(user, dataset, action, mayManage)) throw refused(action, "image");
  return { image, dataset };
}

export async function annotationInTrash(db: Kysely<Schema>, user: CurrentUser, id: number, action: TrashAction) {
  const row = await db
    .selectFrom("annotations")
    .select(["id", "uuid", "image_id", "revision", "deleted_at"])
    .where("id", "=", id)
    .where(isVisibleAnnotation())
    .executeTakeFirst();
  if (!row) throw absent();
  const { dataset } = await visibleImage(db, user, row.image_id).catch(absentAs(ABSENT));
  if (!may(user, dataset, action, mayEdit)) throw refused(action, "annotation");
  return row;
}

export async function categoryInTrash(db: Kysely<Schema>, user: CurrentUser, id: number, action: TrashAction) {
  const row = await db.selectFrom("categories").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw absent();
  if (mayChangeCategory(user, row)) return row;
  const listed = await db
    .selectFrom("dataset_categories")
    .select("dataset_id")
    .where("category_id", "=", id)
    .where("dataset_id", "in", datasetsSeenBy(db, user).select("datasets.id"))
    .executeTakeFirst();
  throw listed ? refused(action, "category") : absent();
}

/** Loads an import that is complete or was undone. */
export async function importInTrash(db: Kysely<Schema>, user: CurrentUser, id: number, action: TrashAction) {
  const row = await db
    .selectFrom("imports")
    .selectAll()
    .where("id", "=", id)
    .where("state", "in", ["complete", "undone"])
    .where("purged_at", "is", null)
    .executeTakeFirst();
  if (!row) throw absent();
  const dataset = await seenDataset(db, user, row.dataset_id);
  const mayRollBack = row.user_id === user.id ? mayEdit : mayManage;
  if (!may(user, dataset, action, mayRollBack)) throw refused(action, "import");
  return { row, dataset };
}

const may = (user: CurrentUser, dataset: DatasetAccess, action: TrashAction, mayRollBack: typeof mayEdit): boolean =>
  action === "delete" ? isOwner(user, dataset) : mayRollBack(user, dataset);

function seenDataset(db: Kysely<Schema>, user: CurrentUser, id: number): Promise<DatasetAccess> {
  return visibleDataset(db, user, id).catch(absentAs(ABSENT));
}
