import { type Kysely, sql } from "kysely";
import type { DatasetRow, Schema } from "../../db/schema";

const MAX_NAMES = 10;

/**
 * Returns at most ten usernames that begin with `begin`, ignoring case, and that the dataset can still be shared with.
 * This reveals nothing new to a user who may share it: the errors of shareDataset show which users exist.
 */
export async function possibleMembers(
  db: Kysely<Schema>,
  dataset: Pick<DatasetRow, "id" | "owner_id">,
  begin: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom("users")
    .select("username")
    .where("closed_at", "is", null)
    .where("username", "!=", "anonymous")
    .where(sql<boolean>`starts_with(lower(username), ${begin.toLowerCase()})`)
    .where(sql<boolean>`id is distinct from ${dataset.owner_id}::integer`)
    .where("id", "not in", (eb) =>
      eb.selectFrom("dataset_members").select("user_id").where("dataset_id", "=", dataset.id),
    )
    .orderBy(sql`lower(username)`)
    .limit(MAX_NAMES)
    .execute();
  return rows.map(({ username }) => username);
}
