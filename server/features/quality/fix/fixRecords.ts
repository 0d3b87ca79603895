import { type Kysely, sql } from "kysely";
import type { Keypoint } from "../../../../shared/entities/keypoint";
import type { Bbox, Shape } from "../../../../shared/entities/shape";
import type { FindingKind } from "../../../../shared/quality/finding";
import type { Schema } from "../../../db/schema";

/** Records of the changes of fixes, so that a whole fix can be undone. Later changes stay. */

/** Days for which a fix can be undone. */
const DAYS = 30;
/** Maximum number of fixes that are listed for a dataset. */
const MOST_LISTED = 20;
const MOST_DELETED = 10_000;

/** A fix of findings, with its dataset and the user who started it. */
export interface FixChange {
  id: string;
  dataset_id: number;
  person_id: number;
  kind: FindingKind;
}

/** A shape as it was before a fix changed it. */
export interface ShapeBefore {
  shape: Shape;
  area: number;
  bbox: Bbox;
  isbbox: boolean;
  iscrowd: boolean;
}

/** Category and keypoints as they were before a fix changed the category. */
export interface CategoryBefore {
  category_id: number;
  keypoints: Keypoint[] | null;
}

/**
 * A fixed image or annotation. `before`: null if an annotation was deleted, its earlier shape or category if that was
 * changed, the time of deletion for an image.
 */
export interface FixRecord {
  image_id: number;
  annotation_id: number | null;
  /** The annotation's revision after the fix. */
  revision: number | null;
  before: ShapeBefore | CategoryBefore | { deleted_at: string } | null;
}

export async function recordFixes(db: Kysely<Schema>, change: FixChange, records: readonly FixRecord[]): Promise<void> {
  const { id, dataset_id, person_id, kind } = change;
  await sql`
    insert into quality_fixes (change, dataset_id, person_id, kind, image_id, annotation_id, revision, before)
    select ${id}::uuid, ${dataset_id}::integer, ${person_id}::integer, ${kind}, x.*
    from json_to_recordset(${JSON.stringify(records)}::json) as x(
      image_id integer, annotation_id integer, revision integer, before json)`.execute(db);
}

/**
 * Counts the annotations and images that a fix has changed, in all attempts of its task. An image is recorded before it
 * is moved to the trash.
 */
export async function countFixed(db: Kysely<Schema>, change: string, datasetId: number): Promise<number> {
  const { rows } = await sql<{ fixed: number }>`
    select count(distinct (f.image_id, f.annotation_id))::integer as fixed from quality_fixes f
    where f.change = ${change}::uuid and f.dataset_id = ${datasetId}::integer and (f.annotation_id is not null or exists (
      select from images i
      where i.id = f.image_id and i.deleted_at = (f.before ->> 'deleted_at')::timestamptz))`.execute(db);
  return rows[0]?.fixed ?? 0;
}

/** Returns the ids of the images that a fix changed, in ascending order. */
export async function fixedImages(db: Kysely<Schema>, change: string, datasetId: number): Promise<number[]> {
  const { rows } = await sql<{ image_id: number }>`
    select distinct image_id from quality_fixes
    where change = ${change}::uuid and dataset_id = ${datasetId}::integer order by 1`.execute(db);
  return rows.map(({ image_id }) => image_id);
}

/** Returns the records of a fix on an image. The image must be locked. */
export async function recordsOfImage(db: Kysely<Schema>, change: string, imageId: number): Promise<FixRecord[]> {
  const { rows } = await sql<FixRecord>`
    select image_id, annotation_id, revision, before from quality_fixes
    where change = ${change}::uuid and image_id = ${imageId}::integer order by annotation_id`.execute(db);
  return rows;
}

export async function forgetFixes(db: Kysely<Schema>, change: string, imageId: number): Promise<void> {
  await sql`delete from quality_fixes where change = ${change}::uuid and image_id = ${imageId}::integer`.execute(db);
}

/** Returns a dataset's fixes that can be undone, the newest first. */
export async function listFixes(db: Kysely<Schema>, datasetId: number) {
  const { rows } = await sql<{ undo: string; kind: FindingKind; fixed: number; made_at: Date; person_id: number }>`
    select change as undo, min(kind) as kind, count(*)::integer as fixed, max(made_at) as made_at,
      min(person_id) as person_id
    from quality_fixes where dataset_id = ${datasetId}::integer and made_at > now() - ${DAYS} * interval '1 day'
    group by change order by max(made_at) desc limit ${MOST_LISTED}`.execute(db);
  return rows;
}

/** Deletes records that can no longer be undone. */
export async function deleteOldFixes(db: Kysely<Schema>): Promise<void> {
  await sql`
    delete from quality_fixes where ctid = any(array(
      select ctid from quality_fixes where made_at < now() - ${DAYS} * interval '1 day' limit ${MOST_DELETED}))`.execute(
    db,
  );
}

/** Returns the images that a fix moved to the trash, with the time of their deletion. */
export async function trashedImages(
  db: Kysely<Schema>,
  change: string,
  datasetId: number,
): Promise<{ image_id: number; deleted_at: string }[]> {
  const { rows } = await sql<{ image_id: number; deleted_at: string }>`
    select image_id, before ->> 'deleted_at' as deleted_at from quality_fixes
    where change = ${change}::uuid and dataset_id = ${datasetId}::integer and annotation_id is null
    order by image_id`.execute(db);
  return rows;
}
