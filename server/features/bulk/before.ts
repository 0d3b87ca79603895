import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Schema } from "../../db/schema";
import type { Order } from "./change";

/**
 * Values of images before and after a bulk change, as JSON with one key: `path`, `labels`, `stage` or `assignee`. Only
 * the images that were changed are recorded, for a day, so that the user who made the change can take it back
 * (takeBackChange.ts).
 */

/** A change, its dataset, and the user who made it. */
export type ChangeKey = Pick<Order, "id" | "dataset_id" | "person_id">;

/**
 * Records the images for which the condition `which` holds. A repeated run does not replace the first run's records.
 */
export async function recordBefore(
  db: Kysely<Schema>,
  { id, dataset_id, person_id }: ChangeKey,
  { before, after, which }: { before: RawBuilder<unknown>; after: RawBuilder<unknown>; which: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    insert into images_before (change, image_id, dataset_id, person_id, before, after)
    select ${id}::uuid, id, ${dataset_id}::integer, ${person_id}::integer, ${before}, ${after} from images where ${which}
    on conflict do nothing`.execute(db);
}

/** Deletes records older than a day, at most `limit` rows. Callers add fewer rows than that each time. */
export async function deleteOldRecords(db: Kysely<Schema>, limit: number): Promise<void> {
  await sql`
    delete from images_before where ctid = any(array(
      select ctid from images_before where made_at < now() - interval '1 day' limit ${limit}))`.execute(db);
}

/** Returns true if there are records from which this change can be taken back. */
export async function hasRecords(db: Kysely<Schema>, key: ChangeKey): Promise<boolean> {
  const { rows } = await sql`select from images_before where ${recordsOf(key)} limit 1`.execute(db);
  return rows.length > 0;
}

/** Returns the SQL condition for the rows of images_before of a change that this user made in this dataset. */
export const recordsOf = ({ id, dataset_id, person_id }: ChangeKey) =>
  sql`change = ${id}::uuid and dataset_id = ${dataset_id}::integer and person_id = ${person_id}::integer and ${isRecent}`;

const isRecent = sql`made_at > now() - interval '1 day'`;
