import type { Kysely } from "kysely";
import { type MemberRole, rolesFrom } from "../../../shared/entities/member";
import { absentAs, forbidden, imageNotFound, notFound, readOnly } from "../../base/errors";
import {
  type CurrentUser,
  type DatasetTies,
  isOwner,
  mayChangeCategory,
  mayEdit,
  mayManage,
  maySee,
} from "../../base/permissions";
import { preparedStatement } from "../../db/preparedStatements";
import { isLiveCategory } from "../../db/rows/categories";
import { isLiveImage } from "../../db/rows/images";
import type { CategoryRow, DatasetRow, ImageRow, Schema } from "../../db/schema";

/**
 * Loads rows for a user and checks the user's rights to each of them. A row that the user may not see gives the same
 * 404 as one that does not exist. Deleted rows count as missing, and so does everything in a deleted dataset.
 */

export type DatasetAccess = DatasetRow & DatasetTies;

/** Returns the dataset for its members, its owner and admins. Throws 404 for other users. */
export async function visibleDataset(db: Kysely<Schema>, user: CurrentUser, datasetId: number): Promise<DatasetAccess> {
  const row = await datasetAndTies(db, user, datasetId)
    .where("datasets.deleted_at", "is", null)
    .modifyEnd(preparedStatement)
    .executeTakeFirst();
  if (!row || !maySee(user, row)) throw notFound("Invalid dataset id");
  return row;
}

/** Selects a dataset, deleted or not, with the user's ties to it. Checks no rights. */
export const datasetAndTies = (db: Kysely<Schema>, user: CurrentUser, datasetId: number) =>
  db
    .selectFrom("datasets")
    .leftJoin("dataset_members", (join) =>
      join.onRef("dataset_members.dataset_id", "=", "datasets.id").on("dataset_members.user_id", "=", user.id),
    )
    .selectAll("datasets")
    .select("datasets.owner_id as ownerId")
    .select("dataset_members.role")
    .where("datasets.id", "=", datasetId);

/** Returns the dataset for users who may change what is in it. Throws 403 for viewers. */
export async function editableDataset(
  db: Kysely<Schema>,
  user: CurrentUser,
  datasetId: number,
): Promise<DatasetAccess> {
  const dataset = await visibleDataset(db, user, datasetId);
  if (!mayEdit(user, dataset)) throw readOnly();
  return dataset;
}

/** Returns the dataset for its maintainers, its owner and admins. Throws 403 with `message` for other members. */
export async function managedDataset(
  db: Kysely<Schema>,
  user: CurrentUser,
  datasetId: number,
  message: string,
): Promise<DatasetAccess> {
  const dataset = await visibleDataset(db, user, datasetId);
  if (!mayManage(user, dataset)) throw forbidden(message);
  return dataset;
}

/** Returns the dataset for its owner and admins. Throws 403 with `message` for members. */
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

/** Returns the image and its dataset for users who may see the dataset. Throws 404 for others. */
export async function visibleImage(
  db: Kysely<Schema>,
  user: CurrentUser,
  imageId: number,
): Promise<{ image: ImageRow; dataset: DatasetAccess }> {
  const image = await db
    .selectFrom("images")
    .selectAll()
    .where("id", "=", imageId)
    .where(isLiveImage())
    .modifyEnd(preparedStatement)
    .executeTakeFirst();
  if (!image) throw imageNotFound();
  const dataset = await visibleDataset(db, user, image.dataset_id).catch(absentAs(imageNotFound));
  return { image, dataset };
}

/** Returns the image and its dataset for users who may change them. Throws 403 for viewers. */
export async function editableImage(
  db: Kysely<Schema>,
  user: CurrentUser,
  imageId: number,
): Promise<{ image: ImageRow; dataset: DatasetAccess }> {
  const found = await visibleImage(db, user, imageId);
  if (!mayEdit(user, found.dataset)) throw readOnly();
  return found;
}

/**
 * Selects the datasets that a user may see: the user's own, and those shared with the user. Admins and `anonymous` see
 * all.
 */
export const datasetsSeenBy = (db: Kysely<Schema>, user: CurrentUser) => datasetsOf(db, user, "viewer");

/** Selects the datasets in which a user may annotate. */
export const datasetsEditedBy = (db: Kysely<Schema>, user: CurrentUser) => datasetsOf(db, user, "annotator");

function datasetsOf(db: Kysely<Schema>, user: CurrentUser, least: MemberRole) {
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
              .where("dataset_members.user_id", "=", user.id)
              // Without a condition for viewers, since every member may see the dataset.
              .$if(least !== "viewer", (members) => members.where("dataset_members.role", "in", rolesFrom(least))),
          ),
        ]),
      ),
    );
}

/**
 * Selects the categories that a user may see: the user's own, and the categories of datasets that the user may see.
 * Admins and `anonymous` see all.
 */
export function categoriesSeenBy(db: Kysely<Schema>, user: CurrentUser) {
  return db
    .selectFrom("categories")
    .where(isLiveCategory())
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

/** Returns a category that the user may see. Throws 404 for others. */
export async function visibleCategory(db: Kysely<Schema>, user: CurrentUser, categoryId: number): Promise<CategoryRow> {
  const row = await categoriesSeenBy(db, user)
    .selectAll("categories")
    .where("categories.id", "=", categoryId)
    .executeTakeFirst();
  if (!row) throw notFound("Invalid category id");
  return row;
}

/** Returns the category for its creator and admins. Throws 403 with `message` for other users who may see it. */
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
