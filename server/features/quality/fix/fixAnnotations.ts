import { randomUUID } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import { boxRing } from "../../../../shared/coco/measure";
import { deletion, modification } from "../../../../shared/edits/make";
import type { Size } from "../../../../shared/entities/image";
import type { Bbox, Rings } from "../../../../shared/entities/shape";
import { clipRings } from "../../../../shared/quality/clipRings";
import type { Fix } from "../../../../shared/quality/finding";
import { ringsOf } from "../../../../shared/quality/outlines";
import { boundsOf } from "../../../../shared/quality/places";
import type { CurrentUser } from "../../../base/permissions";
import type { AnnotationRow, Schema } from "../../../db/schema";
import type { Live } from "../../../live/live";
import { categoriesSeenBy } from "../../access/access";
import { annotationOf } from "../../annotations/rows/annotationRow";
import type { ServerAnnotationEdit } from "../../annotations/rows/serverEdit";
import { lockImages } from "../../bulk/bulkWrite";
import { storeForCall } from "../../edits/storeForCall";
import type { Target } from "../listFindings";
import { type CategoryBefore, type FixChange, recordFixes, type ShapeBefore } from "./fixRecords";

interface FixTools {
  db: Kysely<Schema>;
  live: Live;
}

/**
 * Fixes annotations of an image, as edits of the user, and records them for undo. Annotations that were changed or
 * deleted since the finding stay, and so does the copy of an annotation that no longer exists.
 */
export function fixAnnotations(
  { db, live }: FixTools,
  user: CurrentUser,
  change: FixChange,
  fix: Exclude<Fix, "trashImage">,
  imageId: number,
  targets: readonly Target[],
): Promise<void> {
  return storeForCall({ db, live }, user, async (trx, store) => {
    await lockImages(trx, [imageId]);
    const image = await findImage(trx, imageId);
    const rows = image ? await readRows(trx, imageId, targets) : [];
    const likely = await usableCategories(trx, user, targets);
    const edits = rows.flatMap((row) => editOf(fix, row, image!, likely.get(row.id)) ?? []);
    if (edits.length === 0) return;
    const answers = await store(edits);
    const byUuid = new Map(rows.map((row) => [row.uuid, row]));
    const records = edits.map((edit, i) => {
      const row = byUuid.get(edit.target)!;
      const before = edit.action === "delete" ? null : fix === "changeCategory" ? categoryOf(row) : shapeOf(row);
      const revision = answers[i]?.revision ?? row.revision + 1;
      return { image_id: imageId, annotation_id: row.id, revision, before };
    });
    await recordFixes(trx, change, records);
  });
}

function findImage(trx: Transaction<Schema>, id: number): Promise<Size | undefined> {
  return trx
    .selectFrom("images")
    .select(["width", "height"])
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** Reads the annotations that are as they were found, and whose counterpart is still there. */
async function readRows(
  trx: Transaction<Schema>,
  imageId: number,
  targets: readonly Target[],
): Promise<AnnotationRow[]> {
  const ids = targets.flatMap(({ annotation_id, other_annotation_id }) => [annotation_id, other_annotation_id]);
  const rows = await trx
    .selectFrom("annotations")
    .selectAll()
    .where("image_id", "=", imageId)
    .where("deleted_at", "is", null)
    .where("id", "in", [0, ...ids.filter((id) => id !== null)])
    .orderBy("id")
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return targets.flatMap(({ annotation_id, revision, other_annotation_id }) => {
    const row = byId.get(annotation_id ?? 0);
    const isThere = other_annotation_id === null || byId.has(other_annotation_id);
    return row && row.revision === revision && isThere ? [row] : [];
  });
}

const shapeOf = ({ shape, area, bbox, isbbox, iscrowd }: AnnotationRow): ShapeBefore => ({
  shape,
  area,
  bbox,
  isbbox,
  iscrowd,
});

const categoryOf = ({ category_id, keypoints }: AnnotationRow): CategoryBefore => ({ category_id, keypoints });

/** Returns the suggested category of each annotation, if the user can see it and it still exists. */
async function usableCategories(
  trx: Transaction<Schema>,
  user: CurrentUser,
  targets: readonly Target[],
): Promise<Map<number, number>> {
  const ids = [...new Set(targets.flatMap(({ likely }) => likely ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await categoriesSeenBy(trx, user).select("categories.id").where("categories.id", "in", ids).execute();
  const usable = new Set(rows.map(({ id }) => id));
  return new Map(
    targets.flatMap(({ annotation_id, likely }) =>
      annotation_id !== null && likely !== null && usable.has(likely) ? [[annotation_id, likely] as const] : [],
    ),
  );
}

/**
 * Returns the edit that fixes an annotation; undefined if it cannot be fixed. `likely`: the category that is suggested.
 */
function editOf(
  fix: Exclude<Fix, "trashImage">,
  row: AnnotationRow,
  image: Size,
  likely: number | undefined,
): ServerAnnotationEdit | undefined {
  if (fix === "deleteAnnotation") return deletion(randomUUID(), annotationOf(row));
  if (fix === "changeCategory")
    return likely === undefined ? undefined : modification(randomUUID(), annotationOf(row), { category_id: likely });
  return fix === "clip" ? clipEdit(row, image) : boxEdit(row);
}

/** Returns the edit that gives an annotation another outline, or another box around it. */
function reshape(row: AnnotationRow, rings: Rings, raw?: ShapeBefore): ServerAnnotationEdit {
  const annotation = annotationOf(row);
  const { uuid: target, image_id, revision: base, isbbox } = annotation;
  return {
    uuid: randomUUID(),
    image_id,
    base,
    subject: "annotation",
    target,
    action: "modify",
    before: { rings: annotation.rings, isbbox },
    after: { rings, isbbox },
    ...(raw && { rawShape: raw }),
  };
}

/** Makes the box the one around the outline. Masks keep their box. */
function boxEdit(row: AnnotationRow): ServerAnnotationEdit | undefined {
  const bounds = boundsOf(row);
  const rings = ringsOf(row);
  if (!bounds || rings.length === 0 || row.isbbox) return undefined;
  return reshape(row, rings, { ...shapeOf(row), shape: { rings }, bbox: bounds });
}

/** Cuts an annotation off at the image's border; deletes it if nothing is left. */
function clipEdit(row: AnnotationRow, image: Size): ServerAnnotationEdit | undefined {
  if (row.isbbox) {
    const [x, y, width, height] = row.bbox;
    const [left, top] = [Math.max(0, x), Math.max(0, y)];
    const bbox: Bbox = [left, top, Math.min(image.width, x + width) - left, Math.min(image.height, y + height) - top];
    if (bbox[2] <= 0 || bbox[3] <= 0) return deletion(randomUUID(), annotationOf(row));
    return reshape(row, [[boxRing(bbox)]]);
  }
  const rings = ringsOf(row);
  if (rings.length === 0) return undefined;
  const inside = clipRings(rings, image);
  return inside.length > 0 ? reshape(row, inside) : deletion(randomUUID(), annotationOf(row));
}
