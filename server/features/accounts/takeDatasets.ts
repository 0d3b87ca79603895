import type { Transaction } from "kysely";
import type { Schema } from "../../db/schema";

/** Hands all datasets of a user, those in the trash included, to another one, or to nobody. An owner is no member. */
export async function takeDatasets(trx: Transaction<Schema>, userId: number, heirId: number | null): Promise<void> {
  const taken = await trx
    .updateTable("datasets")
    .set({ owner_id: heirId })
    .where("owner_id", "=", userId)
    .returning("id")
    .execute();
  if (heirId === null || taken.length === 0) return;
  const ids = taken.map(({ id }) => id);
  await trx.deleteFrom("dataset_members").where("user_id", "=", heirId).where("dataset_id", "in", ids).execute();
}
