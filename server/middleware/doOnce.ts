import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { COMMAND_HEADER } from "../../shared/api/protocol/headers";
import { badRequest, HttpError, outcomeUnknown } from "../base/errors";
import { asCommand, type HeldCommand } from "../db/commands/notedCommits";
import { preparedStatement } from "../db/preparedStatements";
import type { Schema } from "../db/schema";

/** Duration of a command's lease, which the executing process renews. */
const LEASE_SECONDS = 10;
const RENEW_MS = 3_000;
const KEEP_SECONDS = 600;
const SWEEP_EVERY_MS = 60_000;
const FIRST_POLL_MS = 50;
const SLOWEST_POLL_MS = 1_000;
/** Maximum length of a stored outcome in characters. */
const MAX_CHARACTERS = 200_000;
const ID = /^[\w-]{16,64}$/;

/** Commands that this process is executing, by key. */
const running = new WeakMap<Kysely<Schema>, Map<string, Promise<string>>>();

/**
 * Executes a command once per id in the headers, and returns its outcome as JSON. A client that has received no
 * response may repeat the command, to any process of this database, and gets the same outcome. `command` identifies the
 * user and the call. A command that failed, or whose process died before a commit, is executed again. Without the
 * header, just calls `act`. Throws 400 for a malformed id, and 409 if a process died after a commit of the command.
 */
export async function doOnce(
  db: Kysely<Schema>,
  headers: IncomingHttpHeaders,
  command: string,
  act: () => Promise<string>,
): Promise<string> {
  const id = headers[COMMAND_HEADER];
  if (id === undefined) return act();
  if (typeof id !== "string" || !ID.test(id))
    throw badRequest(`${COMMAND_HEADER} must have 16 to 64 letters, digits, hyphens or underscores.`);
  const key = createHash("sha256").update(`${id} ${command}`).digest("base64url");
  const here = running.get(db) ?? new Map<string, Promise<string>>();
  running.set(db, here);
  const before = here.get(key);
  if (before) return before;
  const output = claimAndDo(db, new Seal(id), key, act).finally(() => here.delete(key));
  here.set(key, output);
  return output;
}

async function claimAndDo(db: Kysely<Schema>, seal: Seal, key: string, act: () => Promise<string>): Promise<string> {
  const held: HeldCommand = { key, holder: randomUUID(), isCommitted: false, isOver: false };
  for (let pause = FIRST_POLL_MS; !(await claim(db, held)); pause = Math.min(2 * pause, SLOWEST_POLL_MS)) {
    const row = await db
      .selectFrom("commands")
      .select(["outcome", "is_committed", sql<boolean>`until < now()`.as("is_past")])
      .where("key", "=", key)
      .modifyEnd(preparedStatement)
      .executeTakeFirst();
    // If there is no row, the command has failed in the meantime. Then, as after the end of a lease, the next claim
    // succeeds.
    if (row && row.outcome !== null && !row.is_past) return seal.open(row.outcome);
    if (row?.is_committed && row.is_past && row.outcome === null) throw outcomeUnknown();
    if (row) await wait(pause);
  }
  const stopRenewing = renew(db, held);
  try {
    const output = await asCommand(held, act);
    held.isOver = true;
    await keep(db, held, output.length > MAX_CHARACTERS ? null : seal.close(output));
    return output;
  } catch (error) {
    held.isOver = true;
    await release(db, held, error);
    throw error;
  } finally {
    stopRenewing();
  }
}

/** Claims the command. Returns false if another process is executing it, has executed it, or died after a commit. */
async function claim(db: Kysely<Schema>, { key, holder }: HeldCommand): Promise<boolean> {
  await sweep(db);
  const { rows } = await sql`
    insert into commands (key, holder, until) values (${key}, ${holder}, ${inSeconds(LEASE_SECONDS)})
    on conflict (key) do update
      set holder = excluded.holder, until = excluded.until, is_committed = false, outcome = null
      where commands.until < now() and (commands.outcome is not null or not commands.is_committed)
    returning 1 ${preparedStatement}`.execute(db);
  return rows.length > 0;
}

/** Renews the lease until the returned function is called; most commands end before the first renewal. */
function renew(db: Kysely<Schema>, { key, holder }: HeldCommand): () => void {
  let isAsking = false;
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    void db
      .updateTable("commands")
      .set({ until: inSeconds(LEASE_SECONDS) })
      .where("key", "=", key)
      .where("holder", "=", holder)
      .execute()
      // The next renewal may succeed. If none does, another process may take over the command, and this process stores
      // nothing.
      .catch(() => undefined)
      .finally(() => {
        isAsking = false;
      });
  }, RENEW_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Stores the outcome, or none if it is null because it is too long. Then a repeat is executed again unless something
 * was committed. Ignores errors, since the command itself has succeeded.
 */
async function keep(db: Kysely<Schema>, held: HeldCommand, outcome: string | null): Promise<void> {
  if (outcome === null) return end(db, held, !held.isCommitted);
  await sql`
    update commands set outcome = ${outcome}, until = ${inSeconds(KEEP_SECONDS)}
    where key = ${held.key} and holder = ${held.holder} ${preparedStatement}`
    .execute(db)
    .catch(() => undefined);
}

/**
 * Allows a failed command to be executed again, unless it failed while waiting for a commit whose outcome is unknown.
 */
async function release(db: Kysely<Schema>, held: HeldCommand, error: unknown): Promise<void> {
  const isRefused = error instanceof HttpError && error.status < 500;
  await end(db, held, isRefused || held.isCommitted ? true : "unless committed");
}

/**
 * Deletes a command's row if `forget` is true. Otherwise ends its lease, and keeps the note that something was
 * committed.
 */
async function end(
  db: Kysely<Schema>,
  { key, holder }: HeldCommand,
  forget: boolean | "unless committed",
): Promise<void> {
  const isForgotten = forget === "unless committed" ? sql<boolean>`not is_committed` : sql<boolean>`${forget}::boolean`;
  await sql`
    with forgotten as (
      delete from commands where key = ${key} and holder = ${holder} and ${isForgotten} returning 1)
    update commands set until = now() where key = ${key} and holder = ${holder} and not exists (select from forgotten)`
    .execute(db)
    // If this fails, the lease expires by itself.
    .catch(() => undefined);
}

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${sql.lit(seconds)})`;

let sweptAt = Number.NEGATIVE_INFINITY;

async function sweep(db: Kysely<Schema>): Promise<void> {
  if (performance.now() - sweptAt < SWEEP_EVERY_MS) return;
  sweptAt = performance.now();
  await sql`delete from commands where until < ${inSeconds(-KEEP_SECONDS)} or (outcome is not null and until < now())`.execute(
    db,
  );
}

/**
 * Encrypts outcomes with the command's id, of which the database has only a hash, so that the secret of an API token
 * cannot be read from the database or its copies. AES-256-GCM (NIST SP 800-38D), with a key derived by HKDF (RFC 5869).
 */
class Seal {
  private readonly secret: Uint8Array;

  constructor(id: string) {
    this.secret = new Uint8Array(hkdfSync("sha256", id, "", "limn command outcome", 32));
  }

  close(text: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.secret, nonce);
    return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64");
  }

  open(closed: string): string {
    const bytes = Buffer.from(closed, "base64");
    const decipher = createDecipheriv("aes-256-gcm", this.secret, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString("utf8");
  }
}
