import { sql, type Transaction } from "kysely";
import { obstacleTo } from "../../db/rows/datasetNames";
import type { Schema } from "../../db/schema";

/** Longest name of a dataset (shared/entities/dataset.ts). */
const MAX_LENGTH = 100;

/**
 * Hands all datasets of a user, including those in the trash, to `heirId`, or leaves them without an owner if `heirId`
 * is null. Removes the heir from the datasets' members, since an owner is not a member. A dataset with a name that the
 * heir already uses gets the user's name behind its own.
 */
export async function reassignDatasets(
  trx: Transaction<Schema>,
  user: { id: number; username: string },
  heirId: number | null,
): Promise<void> {
  if (heirId !== null) await renameEqual(trx, user, heirId);
  const reassigned = await trx
    .updateTable("datasets")
    .set({ owner_id: heirId })
    .where("owner_id", "=", user.id)
    .returning("id")
    .execute();
  if (heirId === null || reassigned.length === 0) return;
  const ids = reassigned.map(({ id }) => id);
  await trx.deleteFrom("dataset_members").where("user_id", "=", heirId).where("dataset_id", "in", ids).execute();
}

/** Renames the user's datasets whose names the heir uses too. */
async function renameEqual(
  trx: Transaction<Schema>,
  user: { id: number; username: string },
  heirId: number,
): Promise<void> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from datasets d where owner_id = ${user.id} and purged_at is null and exists (
      select from datasets h
      where h.owner_id = ${heirId} and h.purged_at is null and fold_name(h.name) = fold_name(d.name))
    order by id`.execute(trx);
  for (const { id, name } of rows) {
    const free = await freeName(trx, name, user, heirId);
    await trx.updateTable("datasets").set({ name: free }).where("id", "=", id).execute();
  }
}

/** Returns the name followed by the user's, "Birds (ann)", or with a number, "Birds (ann 2)", if that is taken too. */
async function freeName(
  trx: Transaction<Schema>,
  name: string,
  user: { id: number; username: string },
  heirId: number,
): Promise<string> {
  for (let number = 1; ; number++) {
    const addition = number === 1 ? ` (${user.username})` : ` (${user.username} ${number})`;
    const wanted = name.slice(0, MAX_LENGTH - addition.length).trimEnd() + addition;
    const owners = [user.id, heirId];
    const obstacles = await Promise.all(owners.map((ownerId) => obstacleTo(trx, { name: wanted, ownerId })));
    if (obstacles.every((obstacle) => obstacle === undefined)) return wanted;
  }
}
