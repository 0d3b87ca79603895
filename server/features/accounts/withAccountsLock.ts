import { type Kysely, sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";

/** Key of the advisory lock. Any number that no other lock uses. */
const ACCOUNTS_LOCK = 4_711_001;

/**
 * Runs `fn` in a transaction that holds the accounts' lock. Accounts are created, changed and removed one at a time on
 * the whole installation, so that there is exactly one first account and always an admin. `fn` may be retried, see
 * `transaction`.
 */
export function withAccountsLock<T>(db: Kysely<Schema>, fn: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
  return transaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(ACCOUNTS_LOCK)})`.execute(trx);
    return fn(trx);
  });
}
