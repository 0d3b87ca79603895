import { sql } from "kysely";
import { badRequest } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { transaction } from "../../db/transaction";
import { visibleDataset } from "../access/access";
import { freeImages } from "../assignment/freeImages";
import type { Services } from "../services";

/**
 * Ends a user's membership of a dataset. Images that are assigned to the user and not accepted become nobody's. Throws
 * 400 for its owner and other users who are not members, and for copies for consensus, which only a maintainer takes
 * back.
 */
export async function leaveDataset({ db, live }: Services, user: CurrentUser, datasetId: number): Promise<void> {
  await visibleDataset(db, user, datasetId);
  const left = await transaction(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom("dataset_members")
      .where("dataset_id", "=", datasetId)
      .where("user_id", "=", user.id)
      .where(sql<boolean>`not exists (select from consensus_datasets c where c.dataset_id = ${datasetId})`)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await freeImages(trx, datasetId, [user.id]);
    return numDeletedRows > 0n;
  });
  if (!left) throw badRequest("Only members can leave a dataset, and nobody leaves copies given for consensus.");
  live.leaveDataset(user.id, datasetId);
  live.notifyWork(datasetId, [user.id], "assignments");
}
