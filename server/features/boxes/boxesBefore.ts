import { type Kysely, sql } from "kysely";
import type { Bbox, Shape } from "../../../shared/entities/shape";
import type { Schema } from "../../db/schema";

/**
 * Boxes that were replaced by outlines, as they were before, so that the whole change can be undone. An annotation that
 * was changed since has a higher revision than the recorded one, and stays.
 */

/** Days for which a change can be undone. */
const DAYS = 30;
/** Maximum number of changes that are listed for a dataset. */
const MOST_LISTED = 20;

/** A replacement of boxes with outlines, with its dataset and the user who started it. */
export interface BoxChange {
  id: string;
  dataset_id: number;
  person_id: number;
}

/** A box as it was before an outline replaced it. */
export interface RecordedBox {
  annotation_id: number;
  shape: Shape;
  area: number;
  bbox: Bbox;
  /** The annotation's revision with its outline. */
  revision: number;
  /** True if the box was as an import had stored it. */
  as_imported: boolean;
}

/** Records boxes of an image in the transaction that replaces them. */
export async function recordBoxes(
  trx: Kysely<Schema>,
  { id, dataset_id, person_id }: BoxChange,
  imageId: number,
  boxes: readonly RecordedBox[],
): Promise<void> {
  await sql`
    insert into boxes_before
      (change, dataset_id, person_id, image_id, annotation_id, shape, area, bbox, revision, as_imported)
    select ${id}::uuid, ${dataset_id}::integer, ${person_id}::integer, ${imageId}::integer, b.*
    from json_to_recordset(${JSON.stringify(boxes)}::json) as b(
      annotation_id integer, shape json, area double precision, bbox jsonb, revision integer, as_imported boolean
    )`.execute(trx);
}

/**
 * Marks boxes of an import that were unchanged since then as unchanged still, after they became outlines or boxes
 * again, so that undoing the import removes them.
 */
export async function markImported(trx: Kysely<Schema>, boxes: readonly RecordedBox[]): Promise<void> {
  const ids = boxes.filter(({ as_imported }) => as_imported).map(({ annotation_id }) => annotation_id);
  if (ids.length > 0)
    await sql`update annotations set import_revision = revision where id = any(${ids}::int[])`.execute(trx);
}

/** Returns the recorded boxes of an image whose annotations have not been changed since. The image must be locked. */
export async function unchangedBoxes(trx: Kysely<Schema>, change: string, imageId: number): Promise<RecordedBox[]> {
  const { rows } = await sql<RecordedBox>`
    select b.annotation_id, b.shape, b.area, b.bbox, b.revision, b.as_imported
    from boxes_before b join annotations a on a.id = b.annotation_id and a.revision = b.revision
    where b.change = ${change}::uuid and b.image_id = ${imageId}::integer and a.deleted_at is null
    order by b.annotation_id`.execute(trx);
  return rows;
}

/** Deletes the recorded boxes of an image. Returns their number. */
export async function forgetBoxes(trx: Kysely<Schema>, change: string, imageId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from boxes_before where change = ${change}::uuid and image_id = ${imageId}::integer`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Returns the ids of the images of a change in a dataset, in ascending order. */
export async function recordedImages(db: Kysely<Schema>, change: string, datasetId: number): Promise<number[]> {
  const { rows } = await sql<{ image_id: number }>`
    select distinct image_id from boxes_before
    where change = ${change}::uuid and dataset_id = ${datasetId}::integer order by 1`.execute(db);
  return rows.map(({ image_id }) => image_id);
}

/** Returns the number of recorded boxes of a change. */
export async function countRecorded(db: Kysely<Schema>, change: string): Promise<number> {
  const { rows } = await sql<{ boxes: number }>`
    select count(*)::integer as boxes from boxes_before where change = ${change}::uuid`.execute(db);
  return rows[0]?.boxes ?? 0;
}

/** Returns a dataset's changes that can be undone, the newest first. */
export async function listChanges(db: Kysely<Schema>, datasetId: number) {
  const { rows } = await sql<{ undo: string; boxes: number; made_at: Date; person_id: number }>`
    select change as undo, count(*)::integer as boxes, max(made_at) as made_at, min(person_id) as person_id
    from boxes_before where dataset_id = ${datasetId}::integer and made_at > now() - ${DAYS} * interval '1 day'
    group by change order by max(made_at) desc limit ${MOST_LISTED}`.execute(db);
  return rows;
}

/** Deletes records that can no longer be undone, at most `limit` rows. */
export async function deleteOldBoxes(db: Kysely<Schema>, limit: number): Promise<void> {
  await sql`
    delete from boxes_before where ctid = any(array(
      select ctid from boxes_before where made_at < now() - ${DAYS} * interval '1 day' limit ${limit}))`.execute(db);
}
