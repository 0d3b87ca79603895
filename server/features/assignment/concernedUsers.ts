import { type Kysely, sql } from "kysely";
import { rolesFrom } from "../../../shared/entities/member";
import type { Schema } from "../../db/schema";

/**
 * Returns the users whose work changes with the stages of images, by dataset: those to whom the images are assigned,
 * and the dataset's reviewers.
 */
export async function concernedUsers(
  db: Kysely<Schema>,
  imageIds: readonly number[],
): Promise<{ datasetId: number; userIds: number[] }[]> {
  if (imageIds.length === 0) return [];
  const { rows } = await sql<{ datasetId: number; userIds: number[] }>`
    with changed as (select dataset_id, assignee_id from images where id = any(${imageIds}::integer[]))
    select d.id as "datasetId", array(
      select assignee_id from changed where dataset_id = d.id and assignee_id is not null
      union select d.owner_id where d.owner_id is not null
      union select user_id from dataset_members
        where dataset_id = d.id and role = any(${rolesFrom("reviewer")}::text[])
    ) as "userIds"
    from datasets d where d.id in (select dataset_id from changed)`.execute(db);
  return rows;
}
