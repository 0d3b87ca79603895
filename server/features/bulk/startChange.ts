import { randomUUID } from "node:crypto";
import type { ImagesChanged } from "../../../shared/api/datasets/bulk";
import type { CurrentUser } from "../../base/permissions";
import { transaction } from "../../db/transaction";
import { enqueue } from "../../queue/queue";
import type { DatasetAccess } from "../access/access";
import { noteActivity } from "../images/noteActivity";
import { invalidateCachedFigures } from "../images/staleWhileRevalidate";
import type { Services } from "../services";
import type { Change, Order, Selection } from "./change";
import { BATCH, changeImages } from "./changeImages";
import { selectedIds } from "./selectedIds";
import { undoKey, undoOf } from "./undoOf";

/** Maximum number of failures that a response lists. */
const MAX_LISTED = 100;

const NAMES: Record<Change["what"], string> = {
  delete: "Deleting images of",
  restore: "Restoring images of",
  move: "Moving images of",
  label: "Labelling images of",
  mark: "Marking images of",
  assign: "Assigning images of",
  takeBack: "Undoing a change of images of",
};

/**
 * Applies a change to the selected images: at once if they fit in one batch, otherwise in a task. The caller has
 * checked the user's rights.
 */
export async function startChange(
  services: Services,
  user: CurrentUser,
  dataset: DatasetAccess,
  change: Change,
  selection: Selection,
): Promise<ImagesChanged> {
  const { db, wakeRunner } = services;
  const order: Order = { id: randomUUID(), dataset_id: dataset.id, person_id: user.id, change, selection };
  const ids = await firstIds(services, order);
  if (ids.length <= BATCH) {
    const { changed, failures } = await changeImages(services, dataset, order, ids);
    invalidateCachedFigures(db, dataset.id);
    await noteActivity(db, user.id, [dataset.id]);
    return {
      changed,
      failed: failures.length,
      failures: failures.slice(0, MAX_LISTED),
      task: null,
      undo: await undoOf(db, order),
    };
  }
  const { id, name } = await transaction(db, (trx) =>
    enqueue(trx, {
      kind: "change",
      name: `${NAMES[change.what]} ${dataset.name}`,
      key: `change:${randomUUID()}`,
      payload: { ...order },
      creatorId: user.id,
      datasetId: dataset.id,
    }),
  );
  wakeRunner();
  return { changed: 0, failed: 0, failures: [], task: { id, name }, undo: undoKey(order) };
}

/** Returns the first selected ids, at most one more than a batch holds. */
async function firstIds({ db }: Services, order: Order): Promise<number[]> {
  for await (const ids of selectedIds(db, order, BATCH + 1)) return ids;
  return [];
}
