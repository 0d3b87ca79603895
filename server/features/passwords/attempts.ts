import { type Kysely, sql } from "kysely";
import { tooMany } from "../../base/errors";
import { preparedStatement } from "../../db/preparedStatements";
import type { Schema } from "../../db/schema";
import { closedFor, type LoginKeys, REGISTRATIONS, registrationKey } from "./limits";

/**
 * Counts of failed logins and of registrations. They are in the database, so that all processes share them. Intervals
 * are measured by the database's clock; a stored time in the future counts as now.
 */

/** Days without a successful login after which a known pair of name and address is forgotten. */
const KNOWN_DAYS = 90;
const SWEEP_EVERY_MS = 600_000;

/**
 * Throws 429 after too many failed logins. Runs the same query for known and unknown names, so that its duration
 * reveals nothing. `hasFailed`: failures are counted for the pair. `isTrusted`: only the pair's limit applies.
 * `isKnown`: the pair is trusted, or its correct password was sent in the last KNOWN_DAYS days.
 */
export async function requireOpen(
  db: Kysely<Schema>,
  { pair, shared }: LoginKeys,
  isTrusted: boolean,
): Promise<{ hasFailed: boolean; isKnown: boolean }> {
  const keys = [pair, ...shared].map(({ key }) => key);
  const { rows } = await sql<{ key: string; level: number; elapsed: number; known: boolean }>`
    select key, level, extract(epoch from now() - counted_at)::float8 as elapsed, false as known
    from attempts where key in (${sql.join(keys)})
    union all
    select key, 0, 0, true from known_addresses
    where key = ${pair.key} and seen_at > now() - make_interval(days => ${sql.lit(KNOWN_DAYS)})
    ${preparedStatement}`.execute(db);
  const isKnown = isTrusted || rows.some(({ known }) => known);
  const counted = isKnown ? [pair] : [pair, ...shared];
  const waits = counted.map(({ key, limit }) => {
    const row = rows.find((each) => each.key === key && !each.known);
    return row ? closedFor(limit, row.level, row.elapsed) : 0;
  });
  const seconds = Math.ceil(Math.max(...waits));
  if (seconds > 0) throw tooMany(seconds, `Too many failed logins. Please wait ${spanText(seconds)}.`);
  return { hasFailed: rows.some(({ key, known }) => key === pair.key && !known), isKnown };
}

/** Adds a failure to all three counts. */
export async function countFailure(db: Kysely<Schema>, { pair, shared }: LoginKeys): Promise<void> {
  await sweep(db);
  // Sorted, so that two processes cannot deadlock.
  const rows = [pair, ...shared]
    .map(({ key, limit }) => ({ key, level: 1, forget_seconds: limit.forgetSeconds }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  await db
    .insertInto("attempts")
    .values(rows.map((row) => ({ ...row, counted_at: sql<Date>`now()` })))
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({ level: sql`1 + ${levelNow}`, counted_at: sql<Date>`now()` }),
    )
    .execute();
}

/** The count of a row, minus the attempts that have been forgotten since it was stored. */
const levelNow = sql<number>`greatest(0, attempts.level
  - greatest(0, extract(epoch from now() - attempts.counted_at)::float8) / attempts.forget_seconds)`;

/** Records a successful login: resets the pair's count and makes the pair known. Counts of other pairs stay. */
export async function noteSuccess(
  db: Kysely<Schema>,
  { pair }: LoginKeys,
  userId: number,
  { hasFailed }: { hasFailed: boolean },
): Promise<void> {
  if (hasFailed) await db.deleteFrom("attempts").where("key", "=", pair.key).execute();
  await sql`
    insert into known_addresses (key, user_id) select ${pair.key}, id from users where id = ${userId}
    on conflict (key) do update set seen_at = now() where known_addresses.seen_at < now() - interval '1 day'`.execute(
    db,
  );
}

/** Forgets the user's known addresses after a password change: they were known for the old password. */
export async function forgetAddresses(db: Kysely<Schema>, userId: number): Promise<void> {
  await db.deleteFrom("known_addresses").where("user_id", "=", userId).execute();
}

/**
 * Counts a registration in one statement, so that concurrent registrations cannot exceed the limit. Throws 429 beyond
 * the limit.
 */
export async function countRegistration(db: Kysely<Schema>, address: string): Promise<void> {
  await sweep(db);
  const key = registrationKey(address);
  const { free, forgetSeconds } = REGISTRATIONS;
  const { numAffectedRows } = await sql`
    insert into attempts (key, level, forget_seconds) values (${key}, 1, ${forgetSeconds}::float8)
    on conflict (key) do update set level = 1 + ${levelNow}, counted_at = now()
    where ${levelNow} <= ${free - 1}::float8`.execute(db);
  if (numAffectedRows !== 0n) return;
  const row = await db.selectFrom("attempts").select(levelNow.as("level")).where("key", "=", key).executeTakeFirst();
  const seconds = Math.max(1, Math.ceil(((row?.level ?? free) - (free - 1)) * forgetSeconds));
  throw tooMany(
    seconds,
    `Too many accounts were registered from your network. Please try again in ${spanText(seconds)}, or ask an administrator for an account.`,
  );
}

/** Returns a duration as text, e.g. "45 seconds" or "3 minutes". */
function spanText(seconds: number): string {
  const [count, unit] = seconds <= 90 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

let sweptAt = Number.NEGATIVE_INFINITY;

/**
 * Deletes counts that have dropped to zero or have a time far in the future, left by a wrong clock, and known pairs
 * that have expired.
 */
async function sweep(db: Kysely<Schema>): Promise<void> {
  if (performance.now() - sweptAt < SWEEP_EVERY_MS) return;
  sweptAt = performance.now();
  await sql`
    delete from attempts where counted_at > now() + interval '1 day'
      or level * forget_seconds < extract(epoch from now() - counted_at)`.execute(db);
  await sql`
    delete from known_addresses
    where seen_at < now() - make_interval(days => ${sql.lit(KNOWN_DAYS)})`.execute(db);
}
