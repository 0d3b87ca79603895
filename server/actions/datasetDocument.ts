import { type Kysely, sql } from "kysely";
import type { Dataset } from "../../shared/entities/dataset";
import type { DatasetRow, Schema } from "../db/schema";
import type { DatasetTies, Person } from "../permissions";
import { datasetsSeenBy } from "./access";

export type DatasetWithNames = DatasetRow & {
  owner: string | null;
  users: string[];
  categories: number[];
  is_member: boolean;
};

/** The datasets that a person sees, each with the names of its people and the ids of its categories. */
export function datasetsWithNames(db: Kysely<Schema>, person: Person) {
  return datasetsSeenBy(db, person)
    .selectAll("datasets")
    .select([
      sql<string | null>`(select username from users where users.id = datasets.owner_id)`.as("owner"),
      sql<string[]>`array(
        select username from users join dataset_members on user_id = users.id
        where dataset_id = datasets.id order by lower(username))`.as("users"),
      sql<number[]>`array(
        select categories.id from categories join dataset_categories on category_id = categories.id
        where dataset_id = datasets.id and deleted_at is null order by categories.id)`.as("categories"),
      sql<boolean>`exists (
        select from dataset_members where dataset_id = datasets.id and user_id = ${person.id}::integer)`.as(
        "is_member",
      ),
    ]);
}

/** A dataset as the wire shows it. */
export const datasetDocument = (row: DatasetWithNames): Dataset => ({
  id: row.id,
  name: row.name,
  directory: `/datasets/${row.folder}/`,
  owner: row.owner,
  users: row.users,
  categories: row.categories,
  annotate_url: row.annotate_url,
  default_annotation_metadata: row.default_annotation_metadata,
});

export const tiesOf = (row: DatasetWithNames): DatasetTies => ({ ownerId: row.owner_id, isMember: row.is_member });
