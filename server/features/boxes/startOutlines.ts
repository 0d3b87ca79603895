import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { outlineBoxes } from "../../../shared/api/datasets/boxes";
import type { BodyOf } from "../../../shared/api/protocol/call";
import { conflict, forbidden } from "../../base/errors";
import { type CurrentUser, mayManage } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { enqueue } from "../../queue/queue";
import type { DatasetAccess } from "../access/access";
import { selectImages } from "../bulk/selectImages";
import type { Services } from "../services";
import { listChanges } from "./boxesBefore";
import type { BoxSelection } from "./selectBoxes";

type Which = BodyOf<typeof outlineBoxes>;

/** Resolves the boxes that a call selects. The images that match a filter are found once, here. */
export async function selectedBoxes(db: Kysely<Schema>, datasetId: number, which: Which): Promise<BoxSelection> {
  const images = await selectImages(db, datasetId, which);
  if ("ids" in images || "ranges" in images)
    return { dataset_id: datasetId, images, categories: which.categories ?? null };
  throw new Error("The images were not resolved.");
}

/** Queues the outlining of boxes. The caller must have checked that the user may change the dataset. */
export async function startOutlines(
  { db, wakeRunner }: Services,
  user: CurrentUser,
  dataset: DatasetAccess,
  which: Which,
) {
  const selection = await selectedBoxes(db, dataset.id, which);
  const task = await transaction(db, (trx) =>
    enqueue(trx, {
      kind: "outlineBoxes",
      name: `Outlining boxes of ${dataset.name}`,
      // One at a time in a dataset, because two would outline the same boxes.
      key: `boxes:${dataset.id}`,
      payload: { change: randomUUID(), person_id: user.id, selection: { ...selection } },
      creatorId: user.id,
      datasetId: dataset.id,
    }),
  );
  wakeRunner();
  return task;
}

/**
 * Queues the undo of a change. Throws 409 if the change is not recorded, and 403 unless the user made the change, or may
 * manage the dataset.
 */
export async function startRestore(
  { db, wakeRunner }: Services,
  user: CurrentUser,
  dataset: DatasetAccess,
  undo: string,
) {
  const change = (await listChanges(db, dataset.id)).find((each) => each.undo === undo);
  if (!change) throw conflict("There is nothing to undo any more.");
  if (!mayManage(user, dataset) && change.person_id !== user.id)
    throw forbidden("You do not have permission to undo this change");
  const task = await transaction(db, (trx) =>
    enqueue(trx, {
      kind: "restoreBoxes",
      name: `Restoring boxes of ${dataset.name}`,
      key: `boxes:${dataset.id}`,
      payload: { change: undo, dataset_id: dataset.id, person_id: user.id },
      creatorId: user.id,
      datasetId: dataset.id,
    }),
  );
  wakeRunner();
  return task;
}
