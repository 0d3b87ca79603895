import type { Kysely } from "kysely";
import { warnSeldom } from "../base/log";
import type { Schema } from "../db/schema";
import { renewOpened } from "../features/assignment/leases";
import type { Presence } from "../live/presence";

const EVERY_MS = 300_000;

const warn = warnSeldom();

/** Renews the leases on images that users of this process have open. Returns a function that stops this. */
export function renewLeases(db: Kysely<Schema>, presence: Presence): () => void {
  const timer = setInterval(() => {
    renewOpened(db, presence.usersHere()).catch((error) => warn({ err: error }, "leases could not be renewed"));
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
