import { createHmac, randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import type { Kysely } from "kysely";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { USERNAME } from "../../shared/entities/user";
import { plannedOnce } from "../db/plannedOnce";
import type { Schema, UserRow } from "../db/schema";
import { tooMany, unavailable } from "../errors";

/**
 * Passwords: argon2id with 19 MiB and 2 passes (the OWASP cheat sheet's first choice), two at a time. Failures are
 * counted per name and address, so that nobody is locked out by somebody else's guesses.
 */

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const REMEMBERED_MS = 5 * 60_000;
const MAX_REMEMBERED = 1_000;
const MAX_WAITING = 200;

export const hashPassword = (password: string): Promise<string> => twoAtATime(() => hash(password, COST));

export interface Credentials {
  username: string;
  password: string;
  /** The caller's network address. */
  address: string;
}

/**
 * The user of these credentials; undefined when they are wrong. Throws 429 after too many failures. A right password is
 * remembered for 5 minutes as a keyed hash over the stored one, so that a change forgets it.
 */
export async function userOfPassword(db: Kysely<Schema>, credentials: Credentials): Promise<UserRow | undefined> {
  const { username, password, address } = credentials;
  const user = await userNamed(db, username);
  const key = createHmac("sha256", SECRET)
    .update(JSON.stringify([user?.password_hash ?? username, password, user ? "" : address]))
    .digest("base64");
  if ((remembered.get(key) ?? 0) > Date.now()) return user;
  let right = checking.get(key);
  if (!right) {
    right = check(user?.password_hash, credentials).finally(() => checking.delete(key));
    checking.set(key, right);
  }
  if (!(await right)) return undefined;
  remember(key);
  return user;
}

/** Of this process; a new one forgets all. */
const SECRET = randomBytes(32);
const remembered = new Map<string, number>();
/** The same credentials sent many times at once are checked once. */
const checking = new Map<string, Promise<boolean>>();

function remember(key: string): void {
  remembered.delete(key);
  remembered.set(key, Date.now() + REMEMBERED_MS);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

export async function userNamed(db: Kysely<Schema>, username: string): Promise<UserRow | undefined> {
  if (!USERNAME.test(username)) return undefined;
  return db
    .selectFrom("users")
    .selectAll()
    .where((eb) => eb(eb.fn("lower", ["username"]), "=", username.toLowerCase()))
    .modifyEnd(plannedOnce)
    .executeTakeFirst();
}

/** Counted before it is known to be wrong, so that many at once cannot slip through; taken back when it is right. */
async function check(stored: string | null | undefined, { username, password, address }: Credentials) {
  const limits = [
    { limiter: perName, key: `${username.toLowerCase().slice(0, 50)} ${address}` },
    { limiter: perAddress, key: address },
  ];
  for (const { limiter, key } of limits) await limiter.consume(key).catch(refuse);
  const right = await twoAtATime(async () => verify(stored ?? (await dummyHash()), password));
  if (!right || !stored) return false;
  for (const { limiter, key } of limits) await limiter.reward(key);
  return true;
}

const perName = new RateLimiterMemory({ points: 10, duration: 60 });
const perAddress = new RateLimiterMemory({ points: 30, duration: 60 });

function refuse(reason: unknown): never {
  if (!(reason instanceof RateLimiterRes)) throw reason;
  throw tooMany(Math.ceil(reason.msBeforeNext / 1000), "Too many failed logins. Please wait a minute.");
}

/** An unknown name takes as long as a known one. */
async function dummyHash(): Promise<string> {
  dummy ??= await hash(randomBytes(16).toString("hex"), COST);
  return dummy;
}
let dummy: string | undefined;

async function twoAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= MAX_WAITING) throw unavailable("Too many people log in just now. Please try again.");
  if (running >= 2) await new Promise<void>((go) => waiting.push(go));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
let running = 0;
const waiting: (() => void)[] = [];
