import { order } from "../features/bulk/change";
import { BATCH, changeImages as changeBatch } from "../features/bulk/changeImages";
import { countSelected, selectedIds } from "../features/bulk/selectedIds";
import { undoKey, undoOf } from "../features/bulk/undoOf";
import { invalidateCachedFigures } from "../features/images/staleWhileRevalidate";
import { countsSoFar } from "../queue/countsSoFar";
import type { Payload, TaskHelpers } from "../queue/task";
import { liveDataset } from "./common/liveDataset";
import type { TaskTools } from "./common/tools";

/**
 * Runs a bulk command on images: delete, restore, move, label, mark, or undo. Works in batches; logs images that fail
 * and continues with the others. A repeat skips changes that are already done. The images that were changed before the
 * task is cancelled or fails stay changed, and can be undone like those of a finished task.
 */
export async function changeImages(payload: Payload, tools: TaskHelpers & TaskTools) {
  const { db, signal, progress, keepResult, warn, info } = tools;
  const wanted = order.parse(payload);
  const dataset = await liveDataset(db, wanted.dataset_id);
  const { what } = wanted.change;
  const none = { changed: 0, failed: 0 };
  // Restored images are no longer selected in a repeat; those of other selections are counted again.
  const count = "deletedAt" in wanted.selection ? countsSoFar(tools, none) : none;
  const total = count.changed + count.failed + (await countSelected(db, wanted));
  try {
    for await (const ids of selectedIds(db, wanted, BATCH)) {
      signal.throwIfAborted();
      const { changed, failures } = await changeBatch(tools, dataset, wanted, ids);
      for (const { id, message } of failures) warn(`Image ${id}: ${message}`);
      count.changed += changed;
      count.failed += failures.length;
      keepResult({ what, ...count, undo: undoKey(wanted) });
      invalidateCachedFigures(db, dataset.id);
      progress(Math.min(99, (100 * (count.changed + count.failed)) / Math.max(1, total)));
    }
  } finally {
    info(`Changed ${count.changed} image(s).`);
  }
  return { what, ...count, undo: await undoOf(db, wanted) };
}
