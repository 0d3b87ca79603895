import { z } from "zod";
import { HttpError } from "../base/errors";
import { countRecorded, recordedImages } from "../features/boxes/boxesBefore";
import { restoreBoxes as restore } from "../features/boxes/restoreBoxes";
import { invalidateCachedFigures } from "../features/images/staleWhileRevalidate";
import { currentUserById } from "../features/imports/store/importRow";
import { countsSoFar } from "../queue/countsSoFar";
import type { Payload, TaskHelpers } from "../queue/task";
import { liveDataset } from "./common/liveDataset";
import type { TaskTools } from "./common/tools";

const payloadOf = z.object({ change: z.uuid(), dataset_id: z.number(), person_id: z.number() });

/**
 * Undoes the outlining of boxes as a whole, image by image. Outlines that were changed since stay. A repeat continues
 * with the images that are left, and counts all.
 */
export async function restoreBoxes(payload: Payload, tools: TaskHelpers & TaskTools) {
  const { db, signal, progress, keepResult, info, warn } = tools;
  const { change, dataset_id, person_id } = payloadOf.parse(payload);
  const dataset = await liveDataset(db, dataset_id);
  const user = await currentUserById(db, person_id);
  const images = await recordedImages(db, change, dataset.id);
  const count = countsSoFar(tools, { restored: 0, kept: 0 });
  for (const [i, imageId] of images.entries()) {
    signal.throwIfAborted();
    try {
      const { restored, kept } = await restore(tools, user, change, imageId);
      count.restored += restored;
      count.kept += kept;
      keepResult({ what: "restoreBoxes", ...count });
    } catch (error) {
      if (!(error instanceof HttpError && error.status < 500)) throw error;
      warn(`Image ${imageId}: ${error.message}`);
    }
    progress(Math.min(99, (100 * (i + 1)) / images.length));
  }
  invalidateCachedFigures(db, dataset.id);
  // Images that could not be restored have kept their records.
  count.kept += await countRecorded(db, change);
  info(`${count.restored} boxes restored, ${count.kept} outlines kept because they were changed or deleted since.`);
  return { what: "restoreBoxes", ...count };
}
