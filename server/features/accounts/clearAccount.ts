import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";

/** Number of rows per statement, small enough for a short statement even on the embedded database. */
const PAGE = 1_000;

/** Large tables that refer to users. `key` is the integer column by which they are paged. */
const TABLES = [
  { table: "annotations", key: "id", columns: ["creator_id", "deleted_by"] },
  { table: "images", key: "id", columns: ["deleted_by"] },
  { table: "edit_history", key: "id", columns: ["user_id"] },
  { table: "work_sessions", key: "image_id", columns: ["user_id"] },
] as const;

/**
 * Removes a closed account's row. First clears, page by page, the references to it in large tables: a user who has
 * imported a million annotations would otherwise lock them all in one transaction. Names stored as text stay. Safe to
 * repeat.
 */
export async function clearAccount(db: Kysely<Schema>, userId: number): Promise<void> {
  for (const each of TABLES) await clearReferences(db, each, userId);
  // The rows stay, since deleting a row would search all edits for its own. So the ids of closed tabs stay taken.
  await db.updateTable("clients").set({ user_id: null }).where("user_id", "=", userId).execute();
  await transaction(db, async (trx) => {
    // The database checks every reference once more, even in tables that have no index for this rare case.
    await sql`set local statement_timeout = 0`.execute(trx);
    await trx.deleteFrom("users").where("id", "=", userId).where("closed_at", "is not", null).execute();
  });
}

async function clearReferences(
  db: Kysely<Schema>,
  { table, key, columns }: (typeof TABLES)[number],
  userId: number,
): Promise<void> {
  const { rows } = await sql<{ last: number | null }>`
    select max(${sql.ref(key)}) as last from ${sql.table(table)}`.execute(db);
  const last = Number(rows[0]?.last ?? 0);
  const isTheirs = sql.join(
    columns.map((column) => sql`${sql.ref(column)} = ${userId}`),
    sql` or `,
  );
  const cleared = sql.join(columns.map((column) => sql`${sql.ref(column)} = nullif(${sql.ref(column)}, ${userId})`));
  for (let from = 0; from < last; from += PAGE)
    await sql`
      update ${sql.table(table)} set ${cleared}
      where ${sql.ref(key)} > ${from} and ${sql.ref(key)} <= ${from + PAGE} and (${isTheirs})`.execute(db);
}

/** Finishes account deletions that a killed process has left incomplete. */
export async function clearClosedAccounts(db: Kysely<Schema>): Promise<void> {
  const closed = await db.selectFrom("users").select("id").where("closed_at", "is not", null).execute();
  for (const { id } of closed) await clearAccount(db, id);
}
