import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";
import { listTables } from "../../db/tables";

/**
 * Reads every page of every table, since the other checks may read only indices. Throws the database's error if a page
 * is damaged.
 */
export async function readTables(db: Kysely<Schema>): Promise<void> {
  for (const { name } of await listTables(db)) await sql`select count(t) from ${sql.table(name)} as t`.execute(db);
}
