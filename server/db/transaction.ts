import { setTimeout as wait } from "node:timers/promises";
import type { Kysely, Transaction } from "kysely";
import { codeOf } from "../base/errors";
import type { Schema } from "./schema";

const RETRIES = 3;
const serializationFailure = "40001";
const deadlock = "40P01";

/**
 * Runs `fn` in one transaction and retries it up to three times after a serialization failure or deadlock, so `fn` must
 * have no effect outside the database. Inside, use only `trx` and await nothing but the database.
 */
export async function transaction<T>(db: Kysely<Schema>, fn: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await db.transaction().execute(fn);
    } catch (error) {
      const lost = [serializationFailure, deadlock].includes(codeOf(error));
      if (!lost || tries === RETRIES) throw error;
      await wait(Math.random() * 20 * 2 ** tries);
    }
  }
}
