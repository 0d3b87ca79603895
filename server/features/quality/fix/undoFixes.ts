import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { boxRing, shapeRings } from "../../../../shared/coco/measure";
import type { CurrentUser } from "../../../base/permissions";
import type { AnnotationRow, Schema } from "../../../db/schema";
import type { Live } from "../../../live/live";
import { annotationOf, sentRings } from "../../annotations/rows/annotationRow";
import type { ServerAnnotationEdit } from "../../annotations/rows/serverEdit";
import { lockImages } from "../../bulk/bulkWrite";
import { storeForCall } from "../../edits/storeForCall";
import { type FixRecord, forgetFixes, recordsOfImage, type ShapeBefore } from "./fixRecords";

/**
 * Undoes a fix on the annotations of an image, except those that were changed since. Deletes the records, so that a
 * repeat does nothing. Returns the number of restored annotations.
 */
export function undoFixesOfImage(
  { db, live }: { db: Kysely<Schema>; live: Live },
  user: CurrentUser,
  change: string,
  imageId: number,
): Promise<number> {
  return storeForCall({ db, live }, user, async (trx, store) => {
    await lockImages(trx, [imageId]);
    const records = (await recordsOfImage(trx, change, imageId)).filter(({ annotation_id }) => annotation_id !== null);
    if (records.length === 0) return 0;
    const rows = await trx
      .selectFrom("annotations")
      .selectAll()
      .where(
        "id",
        "in",
        records.map(({ annotation_id }) => annotation_id!),
      )
      .execute();
    const byId = new Map(records.map((record) => [record.annotation_id, record]));
    const edits = rows.flatMap((row) => editOf(row, byId.get(row.id)!) ?? []);
    if (edits.length > 0) await store(edits);
    await forgetFixes(trx, change, imageId);
    return edits.length;
  });
}

/** Returns the edit that undoes a fix; undefined if the annotation was changed, restored or deleted since. */
function editOf(row: AnnotationRow, { revision, before }: FixRecord): ServerAnnotationEdit | undefined {
  const { uuid: target, image_id, revision: base } = row;
  if (base !== revision) return undefined;
  const common = { uuid: randomUUID(), subject: "annotation" as const, target, image_id, base };
  if (before === null) return row.deleted_at ? { ...common, action: "create", before: {}, after: {} } : undefined;
  if (row.deleted_at || "deleted_at" in before) return undefined;
  const { rings, isbbox, category_id, keypoints } = annotationOf(row);
  if ("category_id" in before)
    return { ...common, action: "modify", before: { category_id, keypoints }, after: { ...before } };
  const after = { rings: ringsBefore(before), isbbox: before.isbbox };
  return { ...common, action: "modify", before: { rings, isbbox }, after, rawShape: before };
}

function ringsBefore(before: ShapeBefore) {
  if (before.isbbox && before.shape === null) return [[boxRing(before.bbox)]];
  return sentRings(before) ?? shapeRings(before.shape, before.bbox, before.isbbox);
}
