import { createHash, randomBytes } from "node:crypto";
import { type Kysely, type Selectable, sql } from "kysely";
import type { createToken as createCall } from "../../../shared/api/accounts/token";
import type { BodyOf } from "../../../shared/api/protocol/call";
import { type ApiToken, TOKEN_PREFIX } from "../../../shared/entities/accounts/token";
import { conflict, unauthorized } from "../../base/errors";
import { preparedStatement } from "../../db/preparedStatements";
import type { Schema, UserRow } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { isLongUnseen, markSeen } from "./sessions";

/**
 * Personal API tokens. A secret has 256 random bits, so a plain SHA-256 hash is enough to store it and look it up, and
 * guesses need no rate limit. All times are taken from the database's clock.
 */
const MAX_TOKENS = 50;
/** Number of the secret's first characters that are stored and shown to its owner. */
const PREFIX_LENGTH = TOKEN_PREFIX.length + 6;

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Creates a token. The secret is returned only here and cannot be read again. Throws 409 at the limit. */
export async function createToken(
  db: Kysely<Schema>,
  userId: number,
  { name, expires_in_days }: BodyOf<typeof createCall>,
): Promise<{ token: ApiToken; secret: string }> {
  const secret = TOKEN_PREFIX + randomBytes(32).toString("base64url");
  const row = await transaction(db, async (trx) => {
    const { rows } = await sql`
      select from users where id = ${userId} and closed_at is null for update`.execute(trx);
    if (rows.length === 0) throw unauthorized();
    const { total } = await trx
      .selectFrom("api_tokens")
      .select((eb) => eb.fn.countAll<string>().as("total"))
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    if (Number(total) >= MAX_TOKENS)
      throw conflict(`You already have ${MAX_TOKENS} tokens. Revoke one you no longer need.`);
    return trx
      .insertInto("api_tokens")
      .values({
        user_id: userId,
        name,
        prefix: secret.slice(0, PREFIX_LENGTH),
        hash: hashOf(secret),
        expires_at: sql<Date>`now() + make_interval(days => ${expires_in_days ?? null}::int)`,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return { token: tokenDocument(row), secret };
}

export async function tokensOf(db: Kysely<Schema>, userId: number): Promise<ApiToken[]> {
  const rows = await db
    .selectFrom("api_tokens")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .execute();
  return rows.map(tokenDocument);
}

const tokenDocument = (row: Selectable<Schema["api_tokens"]>): ApiToken => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  created_at: row.created_at.toISOString(),
  last_used: row.last_used?.toISOString() ?? null,
  expires_at: row.expires_at?.toISOString() ?? null,
});

/** Revokes a token. Returns false if the user has no such token. */
export async function revokeToken(db: Kysely<Schema>, userId: number, tokenId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("api_tokens")
    .where("user_id", "=", userId)
    .where("id", "=", tokenId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function revokeTokensOf(db: Kysely<Schema>, userId: number): Promise<void> {
  await db.deleteFrom("api_tokens").where("user_id", "=", userId).execute();
}

/**
 * Returns the owner of a token, or undefined if it is invalid or expired. Updates `last_used` at most once a minute.
 */
export async function userOfToken(
  db: Kysely<Schema>,
  secret: string,
): Promise<{ user: UserRow; tokenId: number } | undefined> {
  if (!SECRET.test(secret)) return undefined;
  const row = await db
    .selectFrom("api_tokens")
    .innerJoin("users", "users.id", "api_tokens.user_id")
    .selectAll("users")
    .select([
      "api_tokens.id as token_id",
      sql<boolean>`(last_used is null
        or last_used not between now() - interval '1 minute' and now() + interval '1 minute')`.as("stale"),
      isLongUnseen.as("unseen"),
    ])
    .where("api_tokens.hash", "=", hashOf(secret))
    .where(isValid)
    .where("users.closed_at", "is", null)
    .modifyEnd(preparedStatement)
    .executeTakeFirst();
  if (!row) return undefined;
  const { token_id, stale, unseen, ...user } = row;
  if (stale) await markUsed(db, token_id);
  if (unseen) await markSeen(db, user.id);
  return { user, tokenId: token_id };
}

const SECRET = new RegExp(`^${TOKEN_PREFIX}[\\w-]{43}$`);
const isValid = sql<boolean>`(api_tokens.expires_at is null or api_tokens.expires_at > now())`;

async function markUsed(db: Kysely<Schema>, tokenId: number): Promise<void> {
  await db.updateTable("api_tokens").set({ last_used: sql<Date>`now()` }).where("id", "=", tokenId).execute();
}

/** Returns the ids among `tokenIds` whose tokens are still valid. */
export async function validTokens(db: Kysely<Schema>, tokenIds: number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom("api_tokens")
    .select("id")
    .where(sql<boolean>`id = any(${tokenIds}::integer[])`)
    .where(isValid)
    .execute();
  return new Set(rows.map((row) => row.id));
}
