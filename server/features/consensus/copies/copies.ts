import { type Kysely, sql } from "kysely";
import type { CurrentUser } from "../../../base/permissions";
import { isLiveImage } from "../../../db/rows/images";
import type { Schema } from "../../../db/schema";

/** A copy of an image that an annotator was given. */
export interface Copy {
  id: number;
  original_id: number;
  /** Id of the dataset with the annotator's copies, by which figures name the annotator. */
  annotator: number;
  username: string;
  revision: number;
  is_finished: boolean;
  num_annotations: number;
  /** Day of the last change, in UTC. */
  day: string;
}

/**
 * Copies `i` of images `o` of a dataset, in datasets `s` that `d` connects with it. Leaves out what is in the trash. A
 * dataset that was deleted for good leaves no connection.
 */
export const copiesJoined = sql`consensus_datasets d
  join datasets s on s.id = d.dataset_id and s.deleted_at is null
  join images i on i.dataset_id = d.dataset_id and ${isLiveImage("i")}
  join consensus_copies c on c.image_id = i.id
  join images o on o.id = c.original_id and o.dataset_id = d.source_id and ${isLiveImage("o")}
  left join users u on u.id = d.user_id`;

/** Returns the copies of a dataset's images, or of one of them, by image and annotator. */
export async function loadCopies(
  db: Kysely<Schema>,
  datasetId: number,
  imageId: number | null = null,
): Promise<Copy[]> {
  const { rows } = await sql<Copy>`
    select i.id, c.original_id, d.dataset_id as annotator, coalesce(u.username, d.user_name) as username, i.revision,
      i.done as is_finished, i.num_annotations,
      to_char(coalesce((select h.created_at from edit_history h where h.image_id = i.id
        order by h.image_revision desc limit 1), i.created_at) at time zone 'UTC', 'YYYY-MM-DD') as day
    from ${copiesJoined}
    where d.source_id = ${datasetId}::integer and (${imageId}::integer is null or o.id = ${imageId}::integer)
    order by c.original_id, d.dataset_id`.execute(db);
  return rows;
}

/** Returns the annotators among copies, in the order in which they got their first copies. */
export function annotatorsOf(copies: readonly Copy[]): { id: number; username: string }[] {
  const names = new Map(copies.map(({ annotator, username }) => [annotator, username]));
  return [...names].sort(([a], [b]) => a - b).map(([id, username]) => ({ id, username }));
}

/** Returns the revisions of a dataset's images whose annotations are known to be true, by id. */
export async function loadTruths(
  db: Kysely<Schema>,
  datasetId: number,
  imageId: number | null = null,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; revision: number }>`
    select i.id, i.revision from consensus_truths t join images i on i.id = t.image_id
    where i.dataset_id = ${datasetId}::integer and ${isLiveImage("i")}
      and (${imageId}::integer is null or i.id = ${imageId}::integer)`.execute(db);
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}

/** Returns true if copies of a dataset's images were given to anybody, or the truth of an image is known. */
export async function hasConsensus(db: Kysely<Schema>, datasetId: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from consensus_datasets where source_id = ${datasetId}::integer)
      or exists (select from consensus_truths t join images i on i.id = t.image_id
        where i.dataset_id = ${datasetId}::integer) as found`.execute(db);
  return rows[0]?.found ?? false;
}

/**
 * Condition on `datasets`: this dataset, or one with copies of its images, which go to the trash and return with it.
 */
export const isWithCopies = (datasetId: number) => sql<boolean>`(datasets.id = ${datasetId}::integer or datasets.id in (
  select dataset_id from consensus_datasets where source_id = ${datasetId}::integer))`;

/** Condition on `datasets`: not a dataset of copies. */
export const isNoCopy = sql<boolean>`not exists (
  select from consensus_datasets where consensus_datasets.dataset_id = datasets.id)`;

/** Condition on `datasets` for lists: copies are listed only for their annotators, although admins may see them. */
export const isListedFor = ({ id }: Pick<CurrentUser, "id">) => sql<boolean>`(${isNoCopy} or exists (
  select from dataset_members where dataset_members.dataset_id = datasets.id and user_id = ${id}::integer))`;
