import type { Transaction } from "kysely";
import type { Schema } from "../../db/schema";

/**
 * Hands all datasets of a user, including those in the trash, to `heirId`, or leaves them without an owner if `heirId`
 * is null. Removes the heir from the datasets' members, since an owner is not a member.
 */
export async function reassignDatasets(trx: Transaction<Schema>, userId: number, heirId: number | null): Promise<void> {
  const reassigned = await trx
    .updateTable("datasets")
    .set({ owner_id: heirId })
    .where("owner_id", "=", userId)
    .returning("id")
    .execute();
  if (heirId === null || reassigned.length === 0) return;
  const ids = reassigned.map(({ id }) => id);
  await trx.deleteFrom("dataset_members").where("user_id", "=", heirId).where("dataset_id", "in", ids).execute();
}
