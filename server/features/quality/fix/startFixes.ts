import { randomUUID } from "node:crypto";
import { fixOf } from "../../../../shared/quality/finding";
import { badRequest, conflict, forbidden } from "../../../base/errors";
import { type CurrentUser, mayManage } from "../../../base/permissions";
import { transaction } from "../../../db/transaction";
import { enqueue } from "../../../queue/queue";
import type { DatasetAccess } from "../../access/access";
import type { Services } from "../../services";
import { targetsOf, type WhichFindings } from "../listFindings";
import { listFixes } from "./fixRecords";

/**
 * Queues the fix of findings, as they are now. The caller must have checked that the user may change the dataset.
 * Throws 400 for a kind without a fix, 403 if only maintainers may fix it, and 409 if the findings are not those that
 * the user saw.
 */
export async function startFixes(
  { db, wakeRunner }: Services,
  user: CurrentUser,
  dataset: DatasetAccess,
  which: WhichFindings,
) {
  const fix = fixOf(which.kind);
  if (!fix) throw badRequest("Findings of this kind have no safe fix.");
  if (fix === "trashImage" && !mayManage(user, dataset)) throw forbidden("You do not have permission to delete images");
  const targets = await targetsOf(db, dataset.id, which);
  const task = await transaction(db, (trx) =>
    enqueue(trx, {
      kind: "fixFindings",
      name: `Fixing findings of ${dataset.name}`,
      key: `fix:${randomUUID()}`,
      payload: {
        change: randomUUID(),
        dataset_id: dataset.id,
        person_id: user.id,
        kind: which.kind,
        targets: targets.map((target) => ({ ...target })),
      },
      creatorId: user.id,
      datasetId: dataset.id,
    }),
  );
  wakeRunner();
  return task;
}

/**
 * Queues the undo of a fix. Throws 409 if the fix is not recorded, and 403 unless the user made the fix, or may manage
 * the dataset.
 */
export async function startUndoFixes(
  { db, wakeRunner }: Services,
  user: CurrentUser,
  dataset: DatasetAccess,
  undo: string,
) {
  const change = (await listFixes(db, dataset.id)).find((each) => each.undo === undo);
  if (!change) throw conflict("There is nothing to undo any more.");
  if (!mayManage(user, dataset) && change.person_id !== user.id)
    throw forbidden("You do not have permission to undo this change");
  const task = await transaction(db, (trx) =>
    enqueue(trx, {
      kind: "undoFixes",
      name: `Undoing fixes of ${dataset.name}`,
      key: `undoFixes:${undo}`,
      payload: { change: undo, dataset_id: dataset.id, person_id: user.id, kind: change.kind },
      creatorId: user.id,
      datasetId: dataset.id,
    }),
  );
  wakeRunner();
  return task;
}
