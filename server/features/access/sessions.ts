import { createHash, randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { unauthorized } from "../../base/errors";
import { plannedOnce } from "../../db/plannedOnce";
import type { Schema, UserRow } from "../../db/schema";

/** A login lasts 30 days, and 7 days without a sign of life. Times are the database's. */
export const SESSION_SECONDS = 30 * 24 * 3600;
const untilIdle = sql<Date>`now() + interval '7 days'`;

/** The row's id: a copy of the table opens no session. */
export const sessionIdOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/**
 * Logs a user in: the secret token, 43 characters, for the cookie alone. Old sessions of all users are swept out. With
 * `passwordHash` only while that is still the stored one. Throws 401 when it is not, or the account is gone.
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

/** Returns the user of a session; undefined if it has ended. Stores at most every 5 minutes that the user was seen. */
export async function userOfSession(db: Kysely<Schema>, sessionId: string): Promise<UserRow | undefined> {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .selectAll("users")
    .select(isLongUnseen.as("stale"))
    .where("sessions.id", "=", sessionId)
    .where("sessions.expires_at", ">", sql<Date>`now()`)
    .where("users.closed_at", "is", null)
    .modifyEnd(plannedOnce)
    .executeTakeFirst();
  if (!row) return undefined;
  const { stale, ...user } = row;
  if (stale) {
    await markSeen(db, user.id);
    await prolong(db, sessionId);
  }
  return user;
}

/** Also where that lies ahead: the clock was set back, and a session would last for as long as that. */
export const isLongUnseen = sql<boolean>`(users.last_seen is null
  or users.last_seen not between now() - interval '5 minutes' and now() + interval '5 minutes')`;

export async function markSeen(db: Kysely<Schema>, userId: number): Promise<void> {
  await db.updateTable("users").set({ last_seen: sql<Date>`now()` }).where("id", "=", userId).execute();
}

async function prolong(db: Kysely<Schema>, sessionId: string): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ expires_at: sql<Date>`least(created_at + interval '30 days', ${untilIdle})` })
    .where("id", "=", sessionId)
    .execute();
}

/** Returns those of these sessions that are still open. */
export async function openSessions(db: Kysely<Schema>, sessionIds: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("sessions")
    .select("id")
    .where(sql<boolean>`id = any(${sessionIds})`)
    .where("expires_at", ">", sql<Date>`now()`)
    .execute();
  return new Set(rows.map((row) => row.id));
}
