import { createHmac, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Schema, UserRow } from "../../db/schema";
import { countFailure, noteSuccess, requireOpen } from "./attempts";
import { countedAddress } from "./clientAddress";
import { isPassword, turns } from "./hash";
import { type LoginKeys, loginKeys } from "./limits";
import { userNamed } from "./userNamed";

export interface Credentials {
  username: string;
  password: string;
  /** The caller's network address. */
  address: string;
  /**
   * `basic`: sent with every call, and remembered for five minutes. `session`: by somebody who is logged in by a session
   * of this name already, whom guesses from elsewhere hold up in nothing.
   */
  by: "login" | "basic" | "session";
}

/**
 * Returns the user of these credentials; undefined when they are wrong. The limits come first, before anything that knows
 * whether a password is right. Throws 429 after too many failures.
 */
export async function userOfPassword(db: Kysely<Schema>, credentials: Credentials): Promise<UserRow | undefined> {
  const { username, password, address, by } = credentials;
  const keys = loginKeys(username, address);
  await requireOpen(db, keys, by === "session");
  const user = await userNamed(db, username);
  const mark = markOf([keys.pair.key, user?.password_hash ?? null, password]);
  if (by === "basic" && isRemembered(mark)) return user;
  let right = checking.get(mark);
  if (!right) {
    right = check(db, user, credentials, keys).finally(() => checking.delete(mark));
    checking.set(mark, right);
  }
  if (!(await right)) return undefined;
  if (by === "basic") remember(mark);
  return user;
}

/** The same credentials sent many times at once are checked once. */
const checking = new Map<string, Promise<boolean>>();

/** One password after another for a name from an address, so that many guesses at once meet the limit as well. */
function check(
  db: Kysely<Schema>,
  user: UserRow | undefined,
  { password, address, by }: Credentials,
  keys: LoginKeys,
): Promise<boolean> {
  return turns.run(countedAddress(address), keys.pair.key, async () => {
    const { hasFailed } = await requireOpen(db, keys, by === "session");
    if (!(await isPassword(user?.password_hash, password)) || !user) {
      await countFailure(db, keys);
      return false;
    }
    await noteSuccess(db, keys, user.id, { hasFailed });
    return true;
  });
}

/** Of this process; a new one forgets all. */
const SECRET = randomBytes(32);
const REMEMBERED_MS = 5 * 60_000;
const MAX_REMEMBERED = 1_000;

/** Right passwords of scripts, as keyed hashes over name, address and stored hash: a changed one is forgotten. */
const remembered = new Map<string, number>();

const markOf = (parts: unknown[]): string =>
  createHmac("sha256", SECRET).update(JSON.stringify(parts)).digest("base64");

/** Times are of `performance.now()`, which no change of the clock moves. */
const isRemembered = (mark: string): boolean => (remembered.get(mark) ?? 0) > performance.now();

function remember(mark: string): void {
  remembered.delete(mark);
  remembered.set(mark, performance.now() + REMEMBERED_MS);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}
