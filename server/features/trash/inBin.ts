import type { Kysely } from "kysely";
import type { Instance } from "../../../shared/api/undo";
import { absentAs, conflict, forbidden, notFound } from "../../base/errors";
import { type CurrentUser, isOwner, isVisible, mayChangeCategory } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { type DatasetAccess, datasetAndTies, datasetsSeenBy, visibleDataset, visibleImage } from "../access/access";

/**
 * Loads what a user wants back or gone, whether it is deleted or not, and checks the right to it: datasets and
 * images are the owner's and the admins', annotations come back for members too and go by the owner alone, categories
 * are their creator's, an import comes back also for who imported it. Whoever sees the thing without that right gets
 * 403, everybody else 404. What lies in something deleted is absent: it comes back, or goes, with that.
 */
export type Wish = "roll back" | "delete";

const ABSENT = "Invalid id";
const absent = () => notFound(ABSENT);
const refused = (wish: Wish, instance: Instance) => forbidden(`You do not have permission to ${wish} this ${instance}`);

/** For deleting: what is live is not deleted for good in one step. */
export function requireDeleted(instance: Instance, deletedAt: Date | null): void {
  if (!deletedAt) throw conflict(`This ${instance} is not deleted.`);
}

export async function datasetInBin(db: Kysely<Schema>, user: CurrentUser, id: number, wish: Wish) {
  const row = await datasetAndTies(db, user, id).where("datasets.purged_at", "is", null).executeTakeFirst();
  if (!row || !isVisible(user, row)) throw absent();
  if (!isOwner(user, row)) throw refused(wish, "dataset");
  return row;
}

export async function imageInBin(db: Kysely<Schema>, user: CurrentUser, id: number, wish: Wish) {
  const image = await db.selectFrom("images").selectAll().where("id", "=", id).executeTakeFirst();
  if (!image) throw absent();
  const dataset = await seenDataset(db, user, image.dataset_id);
  if (!isOwner(user, dataset)) throw refused(wish, "image");
  return { image, dataset };
}

export async function annotationInBin(db: Kysely<Schema>, user: CurrentUser, id: number, wish: Wish) {
  const row = await db
    .selectFrom("annotations")
    .select(["id", "uuid", "image_id", "revision", "deleted_at"])
    .where("id", "=", id)
    .where("visible", "=", true)
    .executeTakeFirst();
  if (!row) throw absent();
  const { dataset } = await visibleImage(db, user, row.image_id).catch(absentAs(ABSENT));
  if (wish === "delete" && !isOwner(user, dataset)) throw refused(wish, "annotation");
  return row;
}

export async function categoryInBin(db: Kysely<Schema>, user: CurrentUser, id: number, wish: Wish) {
  const row = await db.selectFrom("categories").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw absent();
  if (mayChangeCategory(user, row)) return row;
  const listed = await db
    .selectFrom("dataset_categories")
    .select("dataset_id")
    .where("category_id", "=", id)
    .where("dataset_id", "in", datasetsSeenBy(db, user).select("datasets.id"))
    .executeTakeFirst();
  throw listed ? refused(wish, "category") : absent();
}

/** An import that is complete or was undone. */
export async function importInBin(db: Kysely<Schema>, user: CurrentUser, id: number, wish: Wish) {
  const row = await db
    .selectFrom("imports")
    .selectAll()
    .where("id", "=", id)
    .where("state", "in", ["complete", "undone"])
    .where("purged_at", "is", null)
    .executeTakeFirst();
  if (!row) throw absent();
  const dataset = await seenDataset(db, user, row.dataset_id);
  const isImporter = wish === "roll back" && row.user_id === user.id;
  if (!isImporter && !isOwner(user, dataset)) throw refused(wish, "import");
  return { row, dataset };
}

function seenDataset(db: Kysely<Schema>, user: CurrentUser, id: number): Promise<DatasetAccess> {
  return visibleDataset(db, user, id).catch(absentAs(ABSENT));
}
