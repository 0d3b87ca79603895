import type { Kysely } from "kysely";
import type { Schema } from "../../server/db/schema";
import { sessionIdOf } from "../../server/features/access/sessions";

/** Creates members of a dataset, named `member-0` and so on. Returns a session token of each, in that order. */
export async function makeMembers(db: Kysely<Schema>, datasetId: number, count: number): Promise<string[]> {
  const values = Array.from({ length: count }, (_, i) => ({ username: `member-${i}`, last_seen: new Date() }));
  const rows = await db.insertInto("users").values(values).returning("id").execute();
  const members = rows.map(({ id }) => ({ dataset_id: datasetId, user_id: id }));
  await db.insertInto("dataset_members").values(members).execute();
  const tokens = rows.map(({ id }) => String(id).padStart(43, "t"));
  const expires_at = new Date(Date.now() + 86_400_000);
  const sessions = rows.map(({ id }, i) => ({ id: sessionIdOf(tokens[i] ?? ""), user_id: id, expires_at }));
  await db.insertInto("sessions").values(sessions).execute();
  return tokens;
}
