import type { IncomingHttpHeaders } from "node:http";
import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { User } from "../../../shared/entities/accounts/user";
import type { Env } from "../../base/env";
import type { CurrentUser } from "../../base/permissions";
import type { Schema, UserRow } from "../../db/schema";
import { requireOwnName } from "../../middleware/requireOwnName";
import { userOfPassword } from "../passwords/userOfPassword";
import { markSeen, sessionIdOf, userOfSession } from "./sessions";
import { userOfToken } from "./tokens";

/** The calling user and how the user was identified. `open`: login is disabled, so every caller is `anonymous`. */
export interface Identity {
  user: CurrentUser;
  by: "session" | "basic" | "token" | "open";
  /** Set for `session`. */
  sessionId?: string;
  /** Set for `token`. */
  tokenId?: number;
}

const ANONYMOUS = "anonymous";

/** Name of the session cookie. It contains the base path: a cookie's path alone does not separate two installations. */
export const cookieName = ({ BASE_PATH }: Pick<Env, "BASE_PATH">): string =>
  `limn_session${BASE_PATH === "/" ? "" : BASE_PATH.slice(0, -1).replaceAll(/[^\w-]/g, "_")}`;

/**
 * Identifies the caller by the request's headers: by the Authorization header if there is one, otherwise by the session
 * cookie. Returns undefined if the caller is not logged in. Throws 429 after too many wrong passwords.
 */
export async function identify(
  db: Kysely<Schema>,
  env: Env,
  headers: IncomingHttpHeaders,
  address: string,
): Promise<Identity | undefined> {
  if (env.LOGIN_DISABLED) {
    requireOwnName(headers, env);
    return { user: await anonymousUser(db), by: "open" };
  }
  if (headers.authorization !== undefined) return identifyByHeader(db, headers.authorization, address);
  const token = sessionToken(headers.cookie ?? "", cookieName(env));
  if (!token) return undefined;
  const sessionId = sessionIdOf(token);
  const user = await userOfSession(db, sessionId);
  return user && { user: currentUserOf(user), by: "session", sessionId };
}

async function identifyByHeader(db: Kysely<Schema>, header: string, address: string): Promise<Identity | undefined> {
  // RFC 6750, section 2.1: a token is accepted only in the header, never in a URL, since URLs end up in logs.
  const [, secret] = /^Bearer +(\S{1,200}) *$/i.exec(header) ?? [];
  if (!secret) return identifyByPassword(db, header, address);
  const found = await userOfToken(db, secret);
  return found && { user: currentUserOf(found.user), by: "token", tokenId: found.tokenId };
}

/** Reads HTTP Basic credentials in UTF-8 (RFC 7617). */
async function identifyByPassword(db: Kysely<Schema>, header: string, address: string): Promise<Identity | undefined> {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]{1,2000})$/i.exec(header) ?? [];
  if (!encoded) return undefined;
  const text = Buffer.from(encoded, "base64").toString();
  const colon = text.indexOf(":");
  if (colon < 0) return undefined;
  const credentials = {
    username: text.slice(0, colon),
    password: text.slice(colon + 1),
    address,
    by: "basic" as const,
  };
  const user = await userOfPassword(db, credentials);
  if (!user) return undefined;
  // The absolute difference, since the clock may have been set back.
  if (!user.last_seen || Math.abs(Date.now() - user.last_seen.getTime()) > SEEN_EVERY_MS) await markSeen(db, user.id);
  return { user: currentUserOf(user), by: "basic" };
}

const SEEN_EVERY_MS = 5 * 60_000;

function sessionToken(cookies: string, name: string): string | undefined {
  const pairs = cookies.split(";").map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return value && /^[\w-]{43}$/.test(value) ? value : undefined;
}

export const currentUserOf = (user: UserRow): CurrentUser => ({
  id: user.id,
  username: user.username,
  name: user.name,
  isAdmin: user.is_admin,
  anonymous: false,
});

/** Returns a user in the form that the API sends. */
export const userDocument = (user: UserRow): User => ({
  id: user.id,
  username: user.username,
  name: user.name,
  is_admin: user.is_admin,
  anonymous: user.username === ANONYMOUS,
  last_seen: user.last_seen?.toISOString() ?? null,
  preferences: user.preferences,
});

/**
 * Returns the user that every caller is while login is disabled. Creates the row, which has no password, on first use.
 */
export async function anonymousUser(db: Kysely<Schema>): Promise<CurrentUser> {
  const known = await anonymousRow(db);
  if (!known) {
    await db
      .insertInto("users")
      .values({ username: ANONYMOUS, name: "Anonymous User" })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const row = known ?? (await anonymousRow(db));
  if (!row) throw new Error("There is no row for the user anonymous.");
  return { ...currentUserOf(row), isAdmin: false, anonymous: true };
}

const anonymousRow = (db: Kysely<Schema>) =>
  db.selectFrom("users").selectAll().where(sql<boolean>`lower(username) = ${ANONYMOUS}`).executeTakeFirst();

/** Returns the number of accounts, without `anonymous`. */
export async function countUsers(db: Kysely<Schema>): Promise<number> {
  const { total } = await db
    .selectFrom("users")
    .select((eb) => eb.fn.countAll<string>().as("total"))
    .where("username", "!=", ANONYMOUS)
    .executeTakeFirstOrThrow();
  return Number(total);
}
