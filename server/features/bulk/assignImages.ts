import { sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema";
import { type ChangeKey, recordBefore } from "./before";

/**
 * Assigns images, which are sorted by id, to users in turn; to nobody if there are no users. The first image's id
 * decides who begins, so that a task that works in parts favours no user, and a repeat assigns the same. Raises no
 * revision, since nothing on the images changes. Returns the ids of all users who lost or got images.
 */
export async function assignImages(
  trx: Transaction<Schema>,
  key: ChangeKey,
  users: readonly number[],
  ids: readonly number[],
): Promise<number[]> {
  const first = ids[0] ?? 0;
  const wanted = sql`(
    select case when ${users.length}::integer > 0
      then (${users}::integer[])[1 + ((n + ${first}::integer) % greatest(1, ${users.length}::integer))::integer] end
    from unnest(${ids}::integer[]) with ordinality as x(id, n) where x.id = images.id)`;
  const which = sql`id = any(${ids}::integer[]) and assignee_id is distinct from ${wanted}`;
  await recordBefore(trx, key, {
    before: sql`jsonb_build_object('assignee', assignee_id)`,
    after: sql`jsonb_build_object('assignee', ${wanted})`,
    which,
  });
  const { rows } = await sql<{ id: number }>`
    select distinct assignee_id as id from images where ${which} and assignee_id is not null`.execute(trx);
  await sql`update images set assignee_id = ${wanted} where ${which}`.execute(trx);
  return [...users, ...rows.map(({ id }) => id)];
}
