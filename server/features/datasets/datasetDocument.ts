import { type Kysely, sql } from "kysely";
import type { Dataset } from "../../../shared/entities/dataset";
import type { MemberRole } from "../../../shared/entities/member";
import type { CurrentUser, DatasetTies } from "../../base/permissions";
import { isLiveCategory } from "../../db/rows/categories";
import type { DatasetRow, Schema } from "../../db/schema";
import { datasetsSeenBy } from "../access/access";

export type DatasetWithNames = DatasetRow & {
  owner: string | null;
  members: Dataset["members"];
  categories: number[];
  role: MemberRole | null;
};

/** Subqueries on `datasets` for the name of the owner, the members, the category ids, and the user's own role. */
export const namesOfDataset = {
  owner: sql<string | null>`(select username from users where users.id = datasets.owner_id)`,
  members: sql<Dataset["members"]>`(
    select coalesce(json_agg(json_build_object('username', username, 'role', role) order by lower(username)), '[]')
    from users join dataset_members on user_id = users.id where dataset_id = datasets.id)`,
  categories: sql<number[]>`array(
    select categories.id from categories join dataset_categories on category_id = categories.id
    where dataset_id = datasets.id and ${isLiveCategory()} order by categories.id)`,
  role: (user: CurrentUser) => sql<MemberRole | null>`(
    select role from dataset_members where dataset_id = datasets.id and user_id = ${user.id}::integer)`,
};

/**
 * Selects the datasets that a user may see, with the names of owner and members, the category ids and the user's role.
 */
export function datasetsWithNames(db: Kysely<Schema>, user: CurrentUser) {
  const { owner, members, categories, role } = namesOfDataset;
  return datasetsSeenBy(db, user)
    .selectAll("datasets")
    .select([owner.as("owner"), members.as("members"), categories.as("categories"), role(user).as("role")]);
}

/** Columns that a dataset's document is made from. */
type ShownDataset = Pick<
  DatasetWithNames,
  | "id"
  | "name"
  | "folder"
  | "owner"
  | "members"
  | "categories"
  | "annotate_url"
  | "default_annotation_metadata"
  | "review"
  | "queue_order"
  | "queue_assigned_only"
>;

/** Returns a dataset in the form that the API sends. */
export const datasetDocument = (row: ShownDataset): Dataset => ({
  id: row.id,
  name: row.name,
  directory: `/datasets/${row.folder}/`,
  owner: row.owner,
  users: row.members.map(({ username }) => username),
  members: row.members,
  categories: row.categories,
  annotate_url: row.annotate_url,
  default_annotation_metadata: row.default_annotation_metadata,
  review: row.review,
  queue_order: row.queue_order,
  queue_assigned_only: row.queue_assigned_only,
});

export const tiesOf = (row: Pick<DatasetWithNames, "owner_id" | "role">): DatasetTies => ({
  ownerId: row.owner_id,
  role: row.role,
});
