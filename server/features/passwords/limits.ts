import { createHash } from "node:crypto";
import { countedAddress } from "./clientAddress";

/**
 * Attempts that count together. `free` of them may be made at once; each further one closes the key for `firstSeconds`,
 * then twice as long, up to `mostSeconds`. One attempt is forgotten every `forgetSeconds`.
 */
export interface Limit {
  free: number;
  forgetSeconds: number;
  firstSeconds: number;
  mostSeconds: number;
}

/** Wrong passwords for one name from one address. A right one sets it back. */
const PAIR: Limit = { free: 10, forgetSeconds: 600, firstSeconds: 60, mostSeconds: 900 };
/** Wrong passwords from one address for any names: somebody tries one password on many accounts. */
const ADDRESS: Limit = { free: 100, forgetSeconds: 10, firstSeconds: 10, mostSeconds: 60 };
/** Wrong passwords for one name from anywhere: many machines guess together. */
const NAME: Limit = { free: 50, forgetSeconds: 300, firstSeconds: 60, mostSeconds: 900 };
/** New accounts from one address: a class behind one address registers at once. */
export const REGISTRATIONS = { free: 40, forgetSeconds: 30 };

export interface Counted {
  key: string;
  limit: Limit;
}

export interface LoginKeys {
  /** Name and address together. */
  pair: Counted;
  /** Each alone: these hold nobody up who has logged in from this address before. */
  shared: Counted[];
}

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

/** A hash: people type passwords into the field for the name, and addresses are personal data. */
const keyOf = (...parts: string[]): string => createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

/** Seconds for which a key stays closed, of a count that was `level` this many seconds ago; 0 when it is open. */
export function closedFor({ free, firstSeconds, mostSeconds }: Limit, level: number, elapsed: number): number {
  // Counted in the future: the clock was moved back. Staying closed until it has caught up could take hours.
  if (elapsed < 0) return 0;
  // The count sinks a little between two failures.
  const over = Math.round(level - free);
  if (over < 0) return 0;
  return Math.max(0, Math.min(mostSeconds, firstSeconds * 2 ** over) - elapsed);
}
