import type { Kysely } from "kysely";
import { absentAs, forbidden, imageNotFound, notFound } from "../../base/errors";
import { type DatasetTies, isOwner, isVisible, mayChangeCategory, type Person } from "../../base/permissions";
import { plannedOnce } from "../../db/plannedOnce";
import type { CategoryRow, DatasetRow, ImageRow, Schema } from "../../db/schema";

/**
 * Loads an object for a person, checking the right on this very object. What a person may not see is answered like
 * what does not exist. Deleted things are absent, and so is everything in a deleted dataset.
 */

export type DatasetAccess = DatasetRow & DatasetTies;

/** The dataset, for members, owner and admins. */
export async function visibleDataset(db: Kysely<Schema>, person: Person, datasetId: number): Promise<DatasetAccess> {
  const row = await datasetAndTies(db, person, datasetId)
    .where("datasets.deleted_at", "is", null)
    .modifyEnd(plannedOnce)
    .executeTakeFirst();
  if (!row || !isVisible(person, row)) throw notFound("Invalid dataset id");
  return row;
}

/** A dataset, deleted or not, and what the person is to it: no right is checked. */
export const datasetAndTies = (db: Kysely<Schema>, person: Person, datasetId: number) =>
  db
    .selectFrom("datasets")
    .leftJoin("dataset_members", (join) =>
      join.onRef("dataset_members.dataset_id", "=", "datasets.id").on("dataset_members.user_id", "=", person.id),
    )
    .selectAll("datasets")
    .select("datasets.owner_id as ownerId")
    .select(({ eb }) => eb("dataset_members.user_id", "is not", null).$castTo<boolean>().as("isMember"))
    .where("datasets.id", "=", datasetId);

/** The dataset, for its owner and admins; members get 403. `message` says what they may not do. */
export async function ownedDataset(
  db: Kysely<Schema>,
  person: Person,
  datasetId: number,
  message: string,
): Promise<DatasetAccess> {
  const dataset = await visibleDataset(db, person, datasetId);
  if (!isOwner(person, dataset)) throw forbidden(message);
  return dataset;
}

/** The image with its dataset, for those who see the dataset. */
export async function visibleImage(
  db: Kysely<Schema>,
  person: Person,
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
  const dataset = await visibleDataset(db, person, image.dataset_id).catch(absentAs(imageNotFound));
  return { image, dataset };
}

/** Ids of the datasets a person sees; undefined stands for all. */
export function datasetsSeenBy(db: Kysely<Schema>, person: Person) {
  return db
    .selectFrom("datasets")
    .where("datasets.deleted_at", "is", null)
    .$if(!person.isAdmin && !person.anonymous, (query) =>
      query.where((eb) =>
        eb.or([
          eb("datasets.owner_id", "=", person.id),
          eb.exists(
            eb
              .selectFrom("dataset_members")
              .whereRef("dataset_members.dataset_id", "=", "datasets.id")
              .where("dataset_members.user_id", "=", person.id),
          ),
        ]),
      ),
    );
}

/** Categories a person sees: own ones, and those listed by a dataset that the person sees. Admins see all. */
export function categoriesSeenBy(db: Kysely<Schema>, person: Person) {
  return db
    .selectFrom("categories")
    .where("categories.deleted_at", "is", null)
    .$if(!person.isAdmin && !person.anonymous, (query) =>
      query.where((eb) =>
        eb.or([
          eb("categories.creator_id", "=", person.id),
          eb(
            "categories.id",
            "in",
            eb
              .selectFrom("dataset_categories")
              .select("dataset_categories.category_id")
              .where("dataset_categories.dataset_id", "in", datasetsSeenBy(db, person).select("datasets.id")),
          ),
        ]),
      ),
    );
}

export async function visibleCategory(db: Kysely<Schema>, person: Person, categoryId: number): Promise<CategoryRow> {
  const row = await categoriesSeenBy(db, person)
    .selectAll("categories")
    .where("categories.id", "=", categoryId)
    .executeTakeFirst();
  if (!row) throw notFound("Invalid category id");
  return row;
}

/** The category, for its creator and admins; others who see it get 403. */
export async function ownedCategory(
  db: Kysely<Schema>,
  person: Person,
  categoryId: number,
  message: string,
): Promise<CategoryRow> {
  const row = await visibleCategory(db, person, categoryId);
  if (!mayChangeCategory(person, row)) throw forbidden(message);
  return row;
}
