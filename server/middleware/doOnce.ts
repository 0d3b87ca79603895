import type { IncomingHttpHeaders } from "node:http";
import type { Kysely } from "kysely";
import { COMMAND_HEADER } from "../../shared/api/protocol/headers";
import { badRequest } from "../base/errors";
import type { Schema } from "../db/schema";

/** A command that was begun, and what came of it. */
interface Begun {
  output: Promise<unknown>;
  /** Milliseconds of performance.now(). */
  until: number;
}

const KEEP_MS = 10 * 60_000;
const MOST = 500;
/** Values and characters of an output that is kept: all of them together take some 20 MB at most. */
const MOST_VALUES = 2_000;
const MOST_CHARACTERS = 40_000;
const ID = /^[\w-]{16,64}$/;
const begunBy = new WeakMap<Kysely<Schema>, Map<string, Begun>>();

/**
 * Does a command once for each id that the headers name for it, and returns what came of it to whoever sends it again:
 * its sender has seen no response. `command`: who asks for what. A command that failed is done anew. Without the header
 * `act` is simply called. Kept in memory, so that a secret is written nowhere, unless the output is large. Throws 400
 * for an id of another form.
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
  const forget = () => {
    if (begun.get(key) === entry) begun.delete(key);
  };
  output.then((done) => {
    if (isSmall(done)) entry.until = performance.now() + KEEP_MS;
    else forget();
  }, forget);
  return output;
}

/** Returns false once it has seen more than is kept, however large the output is. */
function isSmall(output: unknown): boolean {
  let [values, characters] = [0, 0];
  const open = [output];
  while (open.length > 0) {
    const value = open.pop();
    values += 1;
    if (typeof value === "string") characters += value.length;
    const inner = value !== null && typeof value === "object" ? Object.values(value) : [];
    if (values + open.length + inner.length > MOST_VALUES || characters > MOST_CHARACTERS) return false;
    open.push(...inner);
  }
  return true;
}

function forgetOld(begun: Map<string, Begun>): void {
  for (const [key, { until }] of begun) {
    if (until > performance.now() && begun.size <= MOST) return;
    begun.delete(key);
  }
}
