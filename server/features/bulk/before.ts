import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Schema } from "../../db/schema";
import type { Order } from "./change";

/**
 * Images before and after a bulk change, as JSON with one key: `path`, `labels` or `done`.
 * Only images that it did change are kept, for a day, so that whoever ordered it can take it back (takeBack.ts).
 */

export type Keeper = Pick<Order, "id" | "dataset_id" | "person_id">;

/** Of those among `images` that pass `which`. A repeat keeps what the first run kept. */
export async function keepBefore(
  db: Kysely<Schema>,
  { id, dataset_id, person_id }: Keeper,
  { before, after, which }: { before: RawBuilder<unknown>; after: RawBuilder<unknown>; which: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    insert into images_before (change, image_id, dataset_id, person_id, before, after)
    select ${id}::uuid, id, ${dataset_id}::integer, ${person_id}::integer, ${before}, ${after} from images where ${which}
    on conflict do nothing`.execute(db);
}

/** Forgets what is a day old, at most `most` rows: called by those who add fewer. */
export async function forgetOld(db: Kysely<Schema>, most: number): Promise<void> {
  await sql`
    delete from images_before where ctid = any(array(
      select ctid from images_before where made_at < now() - interval '1 day' limit ${most}))`.execute(db);
}

/** Returns true if this change can be taken back. */
export async function isKept(db: Kysely<Schema>, keeper: Keeper): Promise<boolean> {
  const { rows } = await sql`select from images_before where ${keptBy(keeper)} limit 1`.execute(db);
  return rows.length > 0;
}

/** Of images_before: rows of a change that this user has ordered in this dataset. */
export const keptBy = ({ id, dataset_id, person_id }: Keeper) =>
  sql`change = ${id}::uuid and dataset_id = ${dataset_id}::integer and person_id = ${person_id}::integer and ${isYoung}`;

const isYoung = sql`made_at > now() - interval '1 day'`;
