import { createHash } from "node:crypto";
import { countedAddress } from "./clientAddress";

/**
 * Limit on attempts counted under one key. The first `free` attempts are unrestricted. Each further one closes the key,
 * for `firstSeconds` at first and then twice as long each time, up to `maxSeconds`. One attempt is forgotten every
 * `forgetSeconds`.
 */
export interface Limit {
  free: number;
  forgetSeconds: number;
  firstSeconds: number;
  maxSeconds: number;
}

/** Wrong passwords for one name from one address. A correct password resets the count. */
const PAIR: Limit = { free: 10, forgetSeconds: 600, firstSeconds: 60, maxSeconds: 900 };
/** Wrong passwords from one address for any names: one password tried on many accounts. */
const ADDRESS: Limit = { free: 100, forgetSeconds: 10, firstSeconds: 10, maxSeconds: 60 };
/** Wrong passwords for one name from any address: many machines guessing together. */
const NAME: Limit = { free: 50, forgetSeconds: 300, firstSeconds: 60, maxSeconds: 900 };
/** New accounts from one address. Generous, since a whole class may register behind one address. */
export const REGISTRATIONS = { free: 40, forgetSeconds: 30 };

export interface Counted {
  key: string;
  limit: Limit;
}

export interface LoginKeys {
  /** Name and address together. */
  pair: Counted;
  /** The address alone and the name alone. They do not apply to a user who has logged in from this address before. */
  shared: Counted[];
}

/** Returns the keys under which login attempts for a name from an address are counted. */
export function loginKeys(username: string, address: string): LoginKeys {
  const name = username.toLowerCase().slice(0, 50);
  const counted = countedAddress(address);
  return {
    pair: { key: keyOf("pair", name, counted), limit: PAIR },
    shared: [
      { key: keyOf("address", counted), limit: ADDRESS },
      { key: keyOf("name", name), limit: NAME },
    ],
  };
}

export const registrationKey = (address: string): string => keyOf("registration", countedAddress(address));

/** Hashes a key: users sometimes type passwords into the name field, and addresses are personal data. */
const keyOf = (...parts: string[]): string => createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

/** Returns the seconds for which a key stays closed if its count was `level` `elapsed` seconds ago; 0 if it is open. */
export function closedFor({ free, firstSeconds, maxSeconds }: Limit, level: number, elapsed: number): number {
  // A time in the future: the clock was set back. Staying closed until it catches up could take hours.
  if (elapsed < 0) return 0;
  // Rounded, since the count drops a little between two failures.
  const over = Math.round(level - free);
  if (over < 0) return 0;
  return Math.max(0, Math.min(maxSeconds, firstSeconds * 2 ** over) - elapsed);
}
