import { conflict, forbidden, notFound } from "../../base/errors";
import { type CurrentUser, mayManage } from "../../base/permissions";
import { transaction } from "../../db/transaction";
import type { Started } from "../../queue/queue";
import { editableDataset } from "../access/access";
import type { Services } from "../services";
import { enqueueUndo } from "./undo/undoTasks";

/** Queues the undo of an import. Allowed for the user who imported, maintainers, the dataset's owner and admins. */
export async function startUndo(
  { db, wakeRunner }: Services,
  user: CurrentUser,
  datasetId: number,
  importId: number,
): Promise<Started> {
  const dataset = await editableDataset(db, user, datasetId);
  const row = await db
    .selectFrom("imports")
    .selectAll()
    .where("id", "=", importId)
    .where("dataset_id", "=", datasetId)
    .where("purged_at", "is", null)
    .executeTakeFirst();
  if (!row) throw notFound("Invalid import id");
  if (!mayManage(user, dataset) && row.user_id !== user.id)
    throw forbidden("You do not have permission to undo the import");
  if (row.state === "running") throw conflict("The import is not complete. Cancel its task instead.");
  if (row.state === "failed") throw conflict("The import has failed: there is nothing to undo.");
  const name = `Undo import of ${row.file_name} into ${dataset.name}`;
  const task = await transaction(db, (trx) =>
    enqueueUndo(trx, { kind: "undoImport", name, importId, userId: user.id, datasetId }),
  );
  wakeRunner();
  return task;
}
