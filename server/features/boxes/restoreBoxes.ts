import { randomUUID } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import { boxRing } from "../../../shared/coco/measure";
import { modification } from "../../../shared/edits/make";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import type { Live } from "../../live/live";
import { annotationOf } from "../annotations/rows/annotationRow";
import type { ServerAnnotationEdit } from "../annotations/rows/serverEdit";
import { lockImages } from "../bulk/bulkWrite";
import { storeForCall } from "../edits/storeForCall";
import { forgetBoxes, markImported, type RecordedBox, unchangedBoxes } from "./boxesBefore";

/**
 * Turns an image's outlines back into the boxes that they replaced, except outlines that were changed or deleted since.
 * Returns the numbers of restored boxes and of kept outlines. Deletes the records, so that a repeat does nothing.
 */
export function restoreBoxes(
  { db, live }: { db: Kysely<Schema>; live: Live },
  user: CurrentUser,
  change: string,
  imageId: number,
): Promise<{ restored: number; kept: number }> {
  return storeForCall({ db, live }, user, async (trx, store) => {
    await lockImages(trx, [imageId]);
    const boxes = await unchangedBoxes(trx, change, imageId);
    if (boxes.length > 0) {
      await store(await editsOf(trx, boxes));
      await markImported(trx, boxes);
    }
    const recorded = await forgetBoxes(trx, change, imageId);
    return { restored: boxes.length, kept: recorded - boxes.length };
  });
}

async function editsOf(trx: Transaction<Schema>, boxes: readonly RecordedBox[]): Promise<ServerAnnotationEdit[]> {
  const byId = new Map(boxes.map((box) => [box.annotation_id, box]));
  const rows = await trx
    .selectFrom("annotations")
    .selectAll()
    .where("id", "in", [...byId.keys()])
    .execute();
  return rows.flatMap((row) => {
    const { shape, area, bbox } = byId.get(row.id)!;
    const edit = modification(randomUUID(), annotationOf(row), { rings: [[boxRing(bbox)]], isbbox: true });
    return edit ? [{ ...edit, rawShape: { shape, area, bbox, iscrowd: false } }] : [];
  });
}
