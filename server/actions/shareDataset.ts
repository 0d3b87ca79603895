import { sql } from "kysely";
import { transaction } from "../db/transaction";
import { badRequest } from "../errors";
import type { Person } from "../permissions";
import type { Services } from "../services";
import { ownedDataset } from "./access";

/** Replaces a dataset's members. Throws 400 that names those who do not exist. The owner is none of them. */
export async function shareDataset(
  { db, live }: Services,
  person: Person,
  datasetId: number,
  usernames: string[],
): Promise<void> {
  const removed = await transaction(db, async (trx) => {
    await sql`select from datasets where id = ${datasetId} for update`.execute(trx);
    const dataset = await ownedDataset(trx, person, datasetId, "You do not have permission to share this dataset");
    const wanted = [...new Set(usernames.map((name) => name.trim().toLowerCase()))].filter(Boolean);
    const users = await trx
      .selectFrom("users")
      .select(["id", sql<string>`lower(username)`.as("username")])
      .where(sql<boolean>`lower(username) = any(${wanted}::text[])`)
      .where("username", "!=", "anonymous")
      .execute();
    requireAll(wanted, new Set(users.map((user) => user.username)));
    const ids = users.map((user) => user.id).filter((id) => id !== dataset.owner_id);
    const gone = await trx
      .deleteFrom("dataset_members")
      .where("dataset_id", "=", datasetId)
      .where(sql<boolean>`not user_id = any(${ids}::integer[])`)
      .returning("user_id")
      .execute();
    await sql`
      insert into dataset_members (dataset_id, user_id) select ${datasetId}, unnest(${ids}::integer[])
      on conflict do nothing`.execute(trx);
    return gone.map((row) => row.user_id);
  });
  for (const userId of removed) live.leaveDataset(userId, datasetId);
}

function requireAll(wanted: string[], known: Set<string>): void {
  const unknown = wanted.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  const message = `There is no user ${unknown.slice(0, 10).join(", ")}.`;
  throw badRequest(message, { users: message });
}
