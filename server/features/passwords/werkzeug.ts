import { createHash, createHmac, getHashes, pbkdf2, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { hash, verify } from "@node-rs/argon2";

/**
 * Password hashes of COCO Annotator, written by Python's werkzeug as `method$salt$digest`. The digests are weak (one
 * round of HMAC), so what is stored is argon2id of the digest: `werkzeug:method$salt$argon2id`. The first login
 * computes the digest from the password, and then replaces the stored text by argon2id of the password itself.
 */

const PREFIX = "werkzeug:";
/** Limits on costs that a hash may ask for. werkzeug 3 asks for 1,000,000 iterations, or for N = 2^15 with r = 8. */
const MAX_ITERATIONS = 10_000_000;
const MAX_SCRYPT_BYTES = 512 * 1024 * 1024;

type Cost = NonNullable<Parameters<typeof hash>[1]>;

/** Function of werkzeug that computes the digest of a password, as lower-case hexadecimal. */
type Digest = (password: string) => Promise<string>;

const derive = {
  pbkdf2: promisify(pbkdf2),
  scrypt: promisify<string, string, number, object, Buffer>(scrypt),
};

/** True for a stored hash that stands for one of werkzeug until the first login. */
export const isOfWerkzeug = (stored: string | null | undefined): stored is string =>
  stored?.startsWith(PREFIX) === true;

/**
 * Returns the text to store for a hash of werkzeug; undefined if its method is unknown, so that the password cannot be
 * carried over. A password that was kept in plain text is hashed at once.
 */
export async function storedFromWerkzeug(given: string, cost: Cost): Promise<string | undefined> {
  const [method, salt, digest] = partsOf(given);
  if (method === "plain" && digest !== undefined) return hash(digest, cost);
  if (!method || !digest || !/^[0-9a-f]+$/i.test(digest)) return undefined;
  if (!digestOf(method, salt, digest.length / 2)) return undefined;
  return `${PREFIX}${method}:${digest.length / 2}$${salt}$${await hash(digest.toLowerCase(), cost)}`;
}

/** Returns true if the password matches a stored text for which isOfWerkzeug is true. */
export async function isWerkzeugPassword(stored: string, password: string): Promise<boolean> {
  const [named, salt, argon2] = partsOf(stored.slice(PREFIX.length));
  const [, method = "", length = ""] = /^(.*):(\d+)$/s.exec(named) ?? [];
  const digest = digestOf(method, salt, Number(length));
  return digest !== undefined && argon2 !== undefined && verify(argon2, await digest(password));
}

/** Splits at the first two dollar signs. */
function partsOf(text: string): [method: string, salt: string, rest: string | undefined] {
  const [method = "", salt = "", ...rest] = text.split("$");
  return [method, salt, rest.length > 0 ? rest.join("$") : undefined];
}

/** Returns the function of a method, whose digests have `bytes` bytes; undefined if it is unknown or too costly. */
function digestOf(method: string, salt: string, bytes: number): Digest | undefined {
  const [name = "", ...options] = method.split(":");
  if (name === "scrypt") return scryptOf(options, salt, bytes);
  if (name !== "pbkdf2") return hmacOf(name, options, salt);
  const algorithm = algorithmOf(options[0]);
  const iterations = Number(options[1]);
  const isUsable = Number.isInteger(iterations) && iterations >= 1 && iterations <= MAX_ITERATIONS;
  if (!algorithm || !isUsable || options.length !== 2) return undefined;
  return async (password) => (await derive.pbkdf2(password, salt, iterations, bytes, algorithm)).toString("hex");
}

function scryptOf(options: string[], salt: string, bytes: number): Digest | undefined {
  const [N = 32_768, r = 8, p = 1] = options.map(Number);
  const memory = 132 * N * r * p;
  if (![N, r, p].every((value) => Number.isInteger(value) && value >= 1) || (N & (N - 1)) !== 0) return undefined;
  if (N < 2 || memory > MAX_SCRYPT_BYTES || options.length > 3) return undefined;
  return async (password) => (await derive.scrypt(password, salt, bytes, { N, r, p, maxmem: memory })).toString("hex");
}

/** Without a salt, werkzeug hashes the password alone. */
function hmacOf(name: string, options: string[], salt: string): Digest | undefined {
  const algorithm = algorithmOf(name);
  if (!algorithm || options.length > 0) return undefined;
  const digest = salt === "" ? () => createHash(algorithm) : () => createHmac(algorithm, salt);
  return async (password) => digest().update(password).digest("hex");
}

/** Returns OpenSSL's name for one of Python's hash functions; undefined if there is none. */
function algorithmOf(name = ""): string | undefined {
  const wanted = name.toLowerCase().replaceAll("_", "-");
  return /^[a-z0-9-]+$/.test(wanted) && getHashes().some((known) => known.toLowerCase() === wanted)
    ? wanted
    : undefined;
}
