import { createHmac, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Schema, UserRow } from "../../db/schema";
import { countFailure, noteSuccess, requireOpen } from "./attempts";
import { countedAddress } from "./clientAddress";
import { hashInTurn, isPassword, turns } from "./hash";
import { type LoginKeys, loginKeys } from "./limits";
import { userNamed } from "./userNamed";
import { isOfWerkzeug } from "./werkzeug";

export interface Credentials {
  username: string;
  password: string;
  /** The caller's network address. */
  address: string;
  /**
   * `basic`: sent with every call, and remembered for five minutes. `session`: the user already has a session of this
   * name, so failures from other addresses do not lock the user out.
   */
  by: "login" | "basic" | "session";
}

/**
 * Returns the user of these credentials, or undefined if they are wrong. Checks the limits before anything that depends
 * on the password being correct. Throws 429 after too many failures.
 */
export async function userOfPassword(db: Kysely<Schema>, credentials: Credentials): Promise<UserRow | undefined> {
  const { username, password, address, by } = credentials;
  const keys = loginKeys(username, address);
  const { isKnown } = await requireOpen(db, keys, by === "session");
  const user = await userNamed(db, username);
  const mark = markOf([keys.pair.key, user?.password_hash ?? null, password]);
  if (by === "basic" && isRemembered(mark)) return user;
  let right = checking.get(mark);
  if (!right) {
    right = check({ db, user, credentials, keys, isKnown }).finally(() => checking.delete(mark));
    checking.set(mark, right);
  }
  const found = await right;
  if (found && by === "basic") remember(markOf([keys.pair.key, found.password_hash, password]));
  return found;
}

/** Checks in progress: identical credentials sent many times at once are checked only once. */
const checking = new Map<string, Promise<UserRow | undefined>>();

interface Check {
  db: Kysely<Schema>;
  user: UserRow | undefined;
  credentials: Credentials;
  keys: LoginKeys;
  isKnown: boolean;
}

/**
 * Checks passwords for a name from an address sequentially, so that concurrent guesses meet the limit too. Returns the
 * user if the password is right.
 */
function check({ db, user, credentials, keys, isKnown }: Check): Promise<UserRow | undefined> {
  const { password, address, by } = credentials;
  return turns.run({ lane: countedAddress(address), serialKey: keys.pair.key, isKnown }, async () => {
    const { hasFailed } = await requireOpen(db, keys, by === "session");
    if (!(await isPassword(user?.password_hash, password)) || !user) {
      await countFailure(db, keys);
      return undefined;
    }
    await noteSuccess(db, keys, user.id, { hasFailed });
    return isOfWerkzeug(user.password_hash) ? withOwnHash(db, user, user.password_hash, credentials.password) : user;
  });
}

/** Replaces the hash of a user from COCO Annotator, unless it was replaced meanwhile. Returns the row as it is now. */
async function withOwnHash(
  db: Kysely<Schema>,
  user: UserRow,
  before: string,
  password: string,
): Promise<UserRow | undefined> {
  const password_hash = await hashInTurn(password);
  await db
    .updateTable("users")
    .set({ password_hash })
    .where("id", "=", user.id)
    .where("password_hash", "=", before)
    .execute();
  const now = await db.selectFrom("users").selectAll().where("id", "=", user.id).executeTakeFirst();
  if (!now || now.password_hash === password_hash) return now;
  return (await isPassword(now.password_hash, password)) ? now : undefined;
}

/** Key of this process for hashing remembered passwords: a restart forgets them all. */
const SECRET = randomBytes(32);
const REMEMBERED_MS = 5 * 60_000;
const MAX_REMEMBERED = 1_000;

/**
 * Correct passwords of scripts, as keyed hashes over name, address and stored hash, so that a changed password is no
 * longer remembered. Values are expiry times of `performance.now()`, which changes of the clock do not affect.
 */
const remembered = new Map<string, number>();

const markOf = (parts: unknown[]): string =>
  createHmac("sha256", SECRET).update(JSON.stringify(parts)).digest("base64");

const isRemembered = (mark: string): boolean => (remembered.get(mark) ?? 0) > performance.now();

function remember(mark: string): void {
  remembered.delete(mark);
  remembered.set(mark, performance.now() + REMEMBERED_MS);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}
