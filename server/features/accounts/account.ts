import { type Kysely, sql } from "kysely";
import type { Account } from "../../../shared/entities/accounts/user";
import { forbidden, notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema, UserRow } from "../../db/schema";
import { userNamed } from "../passwords/userNamed";

export type AccountRow = UserRow & { datasets: number };

/** Selects the accounts, without `anonymous` and without deleted ones. */
export function accounts(db: Kysely<Schema>) {
  return db.selectFrom("users").where("users.closed_at", "is", null).where("users.username", "!=", "anonymous");
}

/** Selects the accounts with the number of datasets that each owns, as admins see them. */
export const accountsWithDatasets = (db: Kysely<Schema>) =>
  accounts(db)
    .selectAll("users")
    .select(
      sql<number>`(select count(*)::int from datasets where owner_id = users.id and purged_at is null)`.as("datasets"),
    );

export const accountDocument = (row: AccountRow): Account => ({
  id: row.id,
  username: row.username,
  name: row.name,
  email: row.email,
  is_admin: row.is_admin,
  last_seen: row.last_seen?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  datasets: row.datasets,
});

/** Returns an account. Throws 404 if there is none. */
export async function accountById(db: Kysely<Schema>, id: number): Promise<AccountRow> {
  const row = await accountsWithDatasets(db).where("users.id", "=", id).executeTakeFirst();
  if (!row) throw notFound("User not found");
  return row;
}

/** Returns the account with this name, ignoring case. Throws 404 if there is none. */
export async function accountNamed(db: Kysely<Schema>, username: string): Promise<UserRow> {
  const row = await userNamed(db, username);
  if (!row || row.closed_at || row.username === "anonymous") throw notFound("User not found");
  return row;
}

/**
 * Throws 403 if the caller is no longer an admin: another admin may have removed the right since the request began.
 * Call it under the accounts' lock.
 */
export async function requireStillAdmin(db: Kysely<Schema>, user: CurrentUser): Promise<void> {
  const row = await accounts(db).select("is_admin").where("id", "=", user.id).executeTakeFirst();
  if (!row?.is_admin) throw forbidden("Access denied");
}

/** Throws 404 if an account is not the one that the admin saw, which was deleted, and whose name is used again. */
export function requireSameAccount(id: number, seen: number | undefined): void {
  if (seen !== undefined && seen !== id) throw notFound("User not found");
}

/** Returns true if another user is an admin. Call it under the accounts' lock. */
export async function hasOtherAdmin(db: Kysely<Schema>, userId: number): Promise<boolean> {
  const other = await accounts(db)
    .select("id")
    .where("is_admin", "=", true)
    .where("id", "!=", userId)
    .limit(1)
    .execute();
  return other.length > 0;
}
