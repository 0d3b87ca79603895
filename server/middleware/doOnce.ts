import type { IncomingHttpHeaders } from "node:http";
import type { Kysely } from "kysely";
import { COMMAND_HEADER } from "../../shared/api/headers";
import type { Schema } from "../db/schema";
import { badRequest } from "../errors";

/** A command that was begun, and what came of it. */
interface Begun {
  output: Promise<unknown>;
  /** Milliseconds of performance.now(). */
  until: number;
}

const KEEP_MS = 10 * 60_000;
const MOST = 500;
const ID = /^[\w-]{16,64}$/;
const begunBy = new WeakMap<Kysely<Schema>, Map<string, Begun>>();

/**
 * Does a command once for each id that the headers name for it, and returns what came of it to whoever sends it again:
 * its sender has seen no response. `command`: who asks for what. A command that failed is done anew. Without the header
 * `act` is simply called. Kept in memory, so that a secret is written nowhere. Throws 400 for an id of another form.
 */
export function doOnce<T>(
  db: Kysely<Schema>,
  headers: IncomingHttpHeaders,
  command: string,
  act: () => Promise<T>,
): Promise<T> {
  const id = headers[COMMAND_HEADER];
  if (id === undefined) return act();
  if (typeof id !== "string" || !ID.test(id)) throw badRequest(`${COMMAND_HEADER} takes 16 to 64 letters and digits.`);
  const begun = begunBy.get(db) ?? new Map<string, Begun>();
  begunBy.set(db, begun);
  const key = `${id} ${command}`;
  const before = begun.get(key);
  if (before && before.until > performance.now()) return before.output as Promise<T>;
  const output = act();
  const entry: Begun = { output, until: Number.POSITIVE_INFINITY };
  begun.set(key, entry);
  forgetOld(begun);
  output.then(
    () => {
      entry.until = performance.now() + KEEP_MS;
    },
    () => {
      if (begun.get(key) === entry) begun.delete(key);
    },
  );
  return output;
}

function forgetOld(begun: Map<string, Begun>): void {
  for (const [key, { until }] of begun) {
    if (until > performance.now() && begun.size <= MOST) return;
    begun.delete(key);
  }
}
