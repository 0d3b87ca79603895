import { sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema";

/**
 * Ends the assignments and leases of users who may no longer annotate a dataset. Accepted images keep theirs, which
 * says whose work they are. Raises no revision, as assigning does not.
 */
export async function freeImages(
  trx: Transaction<Schema>,
  datasetId: number,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return;
  await sql`
    update images set assignee_id = null
    where dataset_id = ${datasetId} and assignee_id = any(${userIds}::integer[]) and stage <> 'accepted'`.execute(trx);
  await sql`delete from image_leases where dataset_id = ${datasetId} and user_id = any(${userIds}::integer[])`.execute(
    trx,
  );
}
