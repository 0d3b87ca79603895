import { type Kysely, sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";

/** Any number that no other lock has. */
const ACCOUNTS_LOCK = 4_711_001;

/**
 * Makes, changes and removes accounts one at a time on the whole installation: who is first, and who is the last admin,
 * is decided by whoever holds the lock. `fn` as for `transaction`.
 */
export function underLock<T>(db: Kysely<Schema>, fn: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
  return transaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(ACCOUNTS_LOCK)})`.execute(trx);
    return fn(trx);
  });
}
