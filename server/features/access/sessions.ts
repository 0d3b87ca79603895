import { createHash, randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { unauthorized } from "../../base/errors";
import { preparedStatement } from "../../db/preparedStatements";
import type { Schema, UserRow } from "../../db/schema";

/** Lifetime of a session: 30 days, or 7 days without a request. All times are taken from the database's clock. */
export const SESSION_SECONDS = 30 * 24 * 3600;
const untilIdle = sql<Date>`now() + interval '7 days'`;

/** Hashes a session's token to its row id, so that a copy of the table cannot be used to log in. */
export const sessionIdOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/**
 * Logs a user in and returns the secret token (43 characters), which goes into the cookie only. Also deletes expired
 * sessions of all users. Throws 401 if the account is gone, or if `passwordHash` is given and differs from the stored
 * hash.
 */
export async function startSession(db: Kysely<Schema>, userId: number, passwordHash?: string | null): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db.deleteFrom("sessions").where("expires_at", "<", sql<Date>`now()`).execute();
  const { numAffectedRows } = await sql`
    insert into sessions (id, user_id, expires_at)
    select ${sessionIdOf(token)}, id, ${untilIdle} from users
    where id = ${userId} and closed_at is null
      and (${passwordHash ?? null}::text is null or password_hash = ${passwordHash ?? null})`.execute(db);
  if (numAffectedRows === 0n) throw unauthorized();
  return token;
}

export async function endSession(db: Kysely<Schema>, sessionId: string): Promise<void> {
  await db.deleteFrom("sessions").where("id", "=", sessionId).execute();
}

export async function endSessionsOf(db: Kysely<Schema>, userId: number): Promise<void> {
  await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

/** Returns the user of a session, or undefined if it has ended. Updates `last_seen` at most every 5 minutes. */
export async function userOfSession(db: Kysely<Schema>, sessionId: string): Promise<UserRow | undefined> {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .selectAll("users")
    .select(isLongUnseen.as("stale"))
    .where("sessions.id", "=", sessionId)
    .where("sessions.expires_at", ">", sql<Date>`now()`)
    .where("users.closed_at", "is", null)
    .modifyEnd(preparedStatement)
    .executeTakeFirst();
  if (!row) return undefined;
  const { stale, ...user } = row;
  if (stale) {
    await markSeen(db, user.id);
    await extendSession(db, sessionId);
  }
  return user;
}

/**
 * SQL condition for users whose `last_seen` is more than 5 minutes old. Also true if it is in the future: after the
 * clock was set back, it would otherwise not be updated for hours.
 */
export const isLongUnseen = sql<boolean>`(users.last_seen is null
  or users.last_seen not between now() - interval '5 minutes' and now() + interval '5 minutes')`;

export async function markSeen(db: Kysely<Schema>, userId: number): Promise<void> {
  await db.updateTable("users").set({ last_seen: sql<Date>`now()` }).where("id", "=", userId).execute();
}

async function extendSession(db: Kysely<Schema>, sessionId: string): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ expires_at: sql<Date>`least(created_at + interval '30 days', ${untilIdle})` })
    .where("id", "=", sessionId)
    .execute();
}

/** Returns the ids among `sessionIds` whose sessions are still open. */
export async function openSessions(db: Kysely<Schema>, sessionIds: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("sessions")
    .select("id")
    .where(sql<boolean>`id = any(${sessionIds})`)
    .where("expires_at", ">", sql<Date>`now()`)
    .execute();
  return new Set(rows.map((row) => row.id));
}
