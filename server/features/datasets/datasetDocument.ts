import { type Kysely, sql } from "kysely";
import type { Dataset } from "../../../shared/entities/dataset";
import type { CurrentUser, DatasetTies } from "../../base/permissions";
import { isLiveCategory } from "../../db/rows/categories";
import type { DatasetRow, Schema } from "../../db/schema";
import { datasetsSeenBy } from "../access/access";

export type DatasetWithNames = DatasetRow & {
  owner: string | null;
  users: string[];
  categories: number[];
  is_member: boolean;
};

/** Subqueries on `datasets` for the names of owner and members, the category ids, and whether the user is a member. */
export const namesOfDataset = {
  owner: sql<string | null>`(select username from users where users.id = datasets.owner_id)`,
  users: sql<string[]>`array(
    select username from users join dataset_members on user_id = users.id
    where dataset_id = datasets.id order by lower(username))`,
  categories: sql<number[]>`array(
    select categories.id from categories join dataset_categories on category_id = categories.id
    where dataset_id = datasets.id and ${isLiveCategory()} order by categories.id)`,
  isMember: (user: CurrentUser) => sql<boolean>`exists (
    select from dataset_members where dataset_id = datasets.id and user_id = ${user.id}::integer)`,
};

/** Selects the datasets that a user may see, with the names of owner and members and the category ids. */
export function datasetsWithNames(db: Kysely<Schema>, user: CurrentUser) {
  const { owner, users, categories, isMember } = namesOfDataset;
  return datasetsSeenBy(db, user)
    .selectAll("datasets")
    .select([owner.as("owner"), users.as("users"), categories.as("categories"), isMember(user).as("is_member")]);
}

/** Columns that a dataset's document is made from. */
type ShownDataset = Pick<
  DatasetWithNames,
  "id" | "name" | "folder" | "owner" | "users" | "categories" | "annotate_url" | "default_annotation_metadata"
>;

/** Returns a dataset in the form that the API sends. */
export const datasetDocument = (row: ShownDataset): Dataset => ({
  id: row.id,
  name: row.name,
  directory: `/datasets/${row.folder}/`,
  owner: row.owner,
  users: row.users,
  categories: row.categories,
  annotate_url: row.annotate_url,
  default_annotation_metadata: row.default_annotation_metadata,
});

export const tiesOf = (row: Pick<DatasetWithNames, "owner_id" | "is_member">): DatasetTies => ({
  ownerId: row.owner_id,
  isMember: row.is_member,
});
