import { sql, type Transaction } from "kysely";
import type { shareDataset as shareCall } from "../../../shared/api/datasets/dataset";
import type { BodyOf } from "../../../shared/api/protocol/call";
import { badRequest } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { ownedDataset } from "../access/access";
import type { Services } from "../services";

/**
 * Changes a dataset's members: `users` is the complete new list; `add` and `remove` are changes to the current one.
 * Throws 400 naming the users that do not exist. The owner is never listed as a member.
 */
export async function shareDataset(
  { db, live }: Services,
  caller: CurrentUser,
  datasetId: number,
  { users, add = [], remove = [] }: BodyOf<typeof shareCall>,
): Promise<void> {
  const removed = await transaction(db, async (trx) => {
    await sql`select from datasets where id = ${datasetId} for update`.execute(trx);
    const dataset = await ownedDataset(trx, caller, datasetId, "You do not have permission to share this dataset");
    const ids = (await idsOf(trx, users ?? add)).filter((id) => id !== dataset.owner_id);
    const gone = users
      ? sql`not user_id = any(${ids}::integer[])`
      : sql`user_id in (select id from users where lower(username) = any(${normalised(remove)}::text[]))`;
    const { rows } = await sql<{ user_id: number }>`
      delete from dataset_members where dataset_id = ${datasetId} and ${gone} returning user_id`.execute(trx);
    await sql`
      insert into dataset_members (dataset_id, user_id) select ${datasetId}, unnest(${ids}::integer[])
      on conflict do nothing`.execute(trx);
    return rows.map((row) => row.user_id).filter((id) => !ids.includes(id));
  });
  for (const userId of removed) live.leaveDataset(userId, datasetId);
}

const normalised = (usernames: readonly string[]): string[] =>
  [...new Set(usernames.map((name) => name.trim().toLowerCase()))].filter(Boolean);

async function idsOf(trx: Transaction<Schema>, usernames: readonly string[]): Promise<number[]> {
  const wanted = normalised(usernames);
  const users = await trx
    .selectFrom("users")
    .select(["id", sql<string>`lower(username)`.as("username")])
    .where(sql<boolean>`lower(username) = any(${wanted}::text[])`)
    .where("username", "!=", "anonymous")
    .execute();
  requireAll(wanted, new Set(users.map((user) => user.username)));
  return users.map(({ id }) => id);
}

function requireAll(wanted: string[], known: Set<string>): void {
  const unknown = wanted.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  const message = `No such user: ${unknown.slice(0, 10).join(", ")}.`;
  throw badRequest(message, { users: message });
}
