import type { Kysely } from "kysely";
import { absentAs, forbidden, imageNotFound, notFound } from "../../base/errors";
import { type CurrentUser, type DatasetTies, isOwner, isVisible, mayChangeCategory } from "../../base/permissions";
import { plannedOnce } from "../../db/plannedOnce";
import type { CategoryRow, DatasetRow, ImageRow, Schema } from "../../db/schema";

/**
 * Loads an object for a user, checking the right on this very object. What a user may not see is answered like
 * what does not exist. Deleted things are absent, and so is everything in a deleted dataset.
 */

export type DatasetAccess = DatasetRow & DatasetTies;

/** The dataset, for members, owner and admins. */
export async function visibleDataset(db: Kysely<Schema>, user: CurrentUser, datasetId: number): Promise<DatasetAccess> {
  const row = await datasetAndTies(db, user, datasetId)
    .where("datasets.deleted_at", "is", null)
    .modifyEnd(plannedOnce)
    .executeTakeFirst();
  if (!row || !isVisible(user, row)) throw notFound("Invalid dataset id");
  return row;
}

/** A dataset, deleted or not, and what the user is to it: no right is checked. */
export const datasetAndTies = (db: Kysely<Schema>, user: CurrentUser, datasetId: number) =>
  db
    .selectFrom("datasets")
    .leftJoin("dataset_members", (join) =>
      join.onRef("dataset_members.dataset_id", "=", "datasets.id").on("dataset_members.user_id", "=", user.id),
    )
    .selectAll("datasets")
    .select("datasets.owner_id as ownerId")
    .select(({ eb }) => eb("dataset_members.user_id", "is not", null).$castTo<boolean>().as("isMember"))
    .where("datasets.id", "=", datasetId);

/** The dataset, for its owner and admins; members get 403. `message` says what they may not do. */
export async function ownedDataset(
  db: Kysely<Schema>,
  user: CurrentUser,
  datasetId: number,
  message: string,
): Promise<DatasetAccess> {
  const dataset = await visibleDataset(db, user, datasetId);
  if (!isOwner(user, dataset)) throw forbidden(message);
  return dataset;
}

/** The image with its dataset, for those who see the dataset. */
export async function visibleImage(
  db: Kysely<Schema>,
  user: CurrentUser,
  imageId: number,
): Promise<{ image: ImageRow; dataset: DatasetAccess }> {
  const image = await db
    .selectFrom("images")
    .selectAll()
    .where("id", "=", imageId)
    .where("deleted_at", "is", null)
    .modifyEnd(plannedOnce)
    .executeTakeFirst();
  if (!image) throw imageNotFound();
  const dataset = await visibleDataset(db, user, image.dataset_id).catch(absentAs(imageNotFound));
  return { image, dataset };
}

/** Ids of the datasets a user sees; undefined stands for all. */
export function datasetsSeenBy(db: Kysely<Schema>, user: CurrentUser) {
  return db
    .selectFrom("datasets")
    .where("datasets.deleted_at", "is", null)
    .$if(!user.isAdmin && !user.anonymous, (query) =>
      query.where((eb) =>
        eb.or([
          eb("datasets.owner_id", "=", user.id),
          eb.exists(
            eb
              .selectFrom("dataset_members")
              .whereRef("dataset_members.dataset_id", "=", "datasets.id")
              .where("dataset_members.user_id", "=", user.id),
          ),
        ]),
      ),
    );
}

/** Categories a user sees: own ones, and those listed by a dataset that the user sees. Admins see all. */
export function categoriesSeenBy(db: Kysely<Schema>, user: CurrentUser) {
  return db
    .selectFrom("categories")
    .where("categories.deleted_at", "is", null)
    .$if(!user.isAdmin && !user.anonymous, (query) =>
      query.where((eb) =>
        eb.or([
          eb("categories.creator_id", "=", user.id),
          eb(
            "categories.id",
            "in",
            eb
              .selectFrom("dataset_categories")
              .select("dataset_categories.category_id")
              .where("dataset_categories.dataset_id", "in", datasetsSeenBy(db, user).select("datasets.id")),
          ),
        ]),
      ),
    );
}

export async function visibleCategory(db: Kysely<Schema>, user: CurrentUser, categoryId: number): Promise<CategoryRow> {
  const row = await categoriesSeenBy(db, user)
    .selectAll("categories")
    .where("categories.id", "=", categoryId)
    .executeTakeFirst();
  if (!row) throw notFound("Invalid category id");
  return row;
}

/** The category, for its creator and admins; others who see it get 403. */
export async function ownedCategory(
  db: Kysely<Schema>,
  user: CurrentUser,
  categoryId: number,
  message: string,
): Promise<CategoryRow> {
  const row = await visibleCategory(db, user, categoryId);
  if (!mayChangeCategory(user, row)) throw forbidden(message);
  return row;
}
