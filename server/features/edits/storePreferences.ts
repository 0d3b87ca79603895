import { sql, type Transaction } from "kysely";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";

const MAX_BYTES = 200_000;

/**
 * Merges preferences into those of a user, key by key; the last write wins. Changes nothing if the result exceeds the
 * limit.
 */
export async function storePreferences(
  trx: Transaction<Schema>,
  user: CurrentUser,
  preferences: { [key: string]: unknown },
): Promise<void> {
  if (Object.keys(preferences).length === 0) return;
  const added = sql`(preferences || ${JSON.stringify(preferences)}::jsonb)`;
  await sql`
    update users set preferences = ${added}
    where id = ${user.id} and octet_length(${added}::text) <= ${MAX_BYTES}`.execute(trx);
}
