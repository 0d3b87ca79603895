import { type Kysely, sql } from "kysely";
import { conflict, notFound } from "../../base/errors";
import { isConflictOn, obstacleTo } from "../../db/rows/datasetNames";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { freeImages } from "../assignment/freeImages";
import { accountNamed } from "./account";

/**
 * Hands a dataset to a new owner, who is then no longer listed as a member. The former owner loses access. Returns the
 * former owner's id, or null if there was none or the owner is the same. Throws 404; 409 if the new owner has another
 * dataset with the same name, and with `only_if_ownerless` if the dataset has another owner.
 */
export async function giveDataset(
  db: Kysely<Schema>,
  datasetId: number,
  { username, only_if_ownerless = false }: { username: string; only_if_ownerless?: boolean | undefined },
): Promise<number | null> {
  return transaction(db, async (trx) => {
    const { rows } = await sql<{ name: string; owner_id: number | null }>`
      select name, owner_id from datasets where id = ${datasetId} and deleted_at is null for update`.execute(trx);
    const [dataset] = rows;
    if (!dataset) throw notFound("Invalid dataset id");
    const { id, username: heir } = await accountNamed(trx, username);
    if (dataset.owner_id === id) return null;
    if (only_if_ownerless && dataset.owner_id !== null)
      throw conflict("This dataset has been given a new owner in the meantime.");
    const obstacle = await obstacleTo(trx, { name: dataset.name, ownerId: id, datasetId });
    if (obstacle) throw nameTaken(heir, obstacle === "deleted" ? "dataset with this name in the trash" : undefined);
    await trx.updateTable("datasets").set({ owner_id: id }).where("id", "=", datasetId).execute();
    await trx.deleteFrom("dataset_members").where("dataset_id", "=", datasetId).where("user_id", "=", id).execute();
    if (dataset.owner_id !== null) await freeImages(trx, datasetId, [dataset.owner_id]);
    return dataset.owner_id;
  }).catch((error: unknown) => {
    throw isConflictOn(error, "datasets_name") ? nameTaken(username) : error;
  });
}

const nameTaken = (heir: string, what = "dataset with this name") =>
  conflict(`${heir} already has a ${what}. Rename this dataset first.`);
