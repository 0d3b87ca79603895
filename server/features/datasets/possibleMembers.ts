import { type Kysely, sql } from "kysely";
import type { DatasetRow, Schema } from "../../db/schema";

const MOST = 10;

/**
 * Usernames that a dataset can still be shared with and that begin with `begin`, whatever its case: at most ten. Whoever
 * may share it may know them: shareDataset tells of each name whether there is such a user.
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
    .limit(MOST)
    .execute();
  return rows.map(({ username }) => username);
}
