import { type Kysely, sql } from "kysely";
import type { Keypoint } from "../../../shared/entities/keypoint";
import type { Metadata } from "../../../shared/entities/scalars";
import type { Bbox, Rings, Rle } from "../../../shared/entities/shape";
import type { AnnotationRow, Schema } from "../../db/schema";
import { shownRings } from "../annotations/rows/annotationRow";
import type { Held, SentScene } from "./sentScenes";

/** An annotation as a page of an older client received it, or created it. */
export interface SentVersion {
  rings: Rings;
  isbbox: boolean;
  color: string;
  metadata: Metadata;
  keypoints: Keypoint[] | null;
}

export const versionOf = (row: AnnotationRow): SentVersion => ({
  rings: shownRings(row),
  isbbox: row.isbbox,
  color: row.color,
  metadata: row.metadata,
  keypoints: row.keypoints,
});

/** Keys of history entries that make up a version. */
const SHAPE_KEYS = ["rings", "rle", "isbbox", "bbox"];
const KEYS = [...SHAPE_KEYS, "color", "metadata", "keypoints"];

/** Returns the page's changes to an annotation. */
export const heldOf = (scene: SentScene, id: number): Held => scene.known.annotations?.[id] ?? { id, own: [] };

/** A key to look up in the history of an annotation. */
interface HistoryQuery {
  subject_id: string;
  key: string;
  /** Revision of the annotation; null means the state when the scene was sent. */
  revision: number | null;
}

/**
 * Returns the versions of annotations on a page, by annotation id. Annotations that have not changed since the page was
 * sent equal the stored rows; versions of the others are read from the history of edits, field by field. Annotations
 * without such history were created later, so the page never received them, and are left out.
 */
export async function sentVersions(
  db: Kysely<Schema>,
  scene: SentScene,
  imageId: number,
  rows: readonly AnnotationRow[],
): Promise<Map<number, SentVersion>> {
  const changed = await changedSince(db, imageId, scene.revision);
  const heldBy = new Map(Object.values(scene.known.annotations ?? {}).map((held) => [held.id, held]));
  const stale = rows.filter((row) => changed.has(row.uuid));
  const queries = stale.flatMap((row) => queriesFor(row, heldBy.get(row.id)));
  const recorded = await readHistory(db, scene.revision, queries);
  const versions = new Map<number, SentVersion>();
  for (const row of rows) {
    if (!changed.has(row.uuid)) versions.set(row.id, versionOf(row));
    else if (recorded.has(row.uuid)) versions.set(row.id, versionFromHistory(row, recorded.get(row.uuid)));
  }
  return versions;
}

async function changedSince(db: Kysely<Schema>, imageId: number, revision: number): Promise<Set<string>> {
  const { rows } = await sql<{ subject_id: string }>`
    select distinct subject_id from edit_history
    where image_id = ${imageId} and image_revision > ${revision} and subject = 'annotation'`.execute(db);
  return new Set(rows.map((row) => row.subject_id));
}

const queriesFor = ({ uuid }: AnnotationRow, held: Held | undefined): HistoryQuery[] =>
  KEYS.map((key) => {
    const revision = (SHAPE_KEYS.includes(key) ? held?.shape : undefined) ?? held?.base ?? null;
    return { subject_id: uuid, key, revision };
  });

/** Recorded values of an annotation, by key. */
type HistoryValues = Map<string, { value: unknown; revision: number }>;

async function readHistory(
  db: Kysely<Schema>,
  since: number,
  queries: readonly HistoryQuery[],
): Promise<Map<string, HistoryValues>> {
  const byUuid = new Map<string, HistoryValues>();
  if (queries.length === 0) return byUuid;
  const { rows } = await sql<{ subject_id: string; key: string; value: unknown; revision: number }>`
    select w.subject_id, w.key, f.value, f.revision
    from json_to_recordset(${JSON.stringify(queries)}::json) as w(subject_id text, key text, revision int)
    cross join lateral (
      select h.fields -> w.key as value, h.revision from edit_history h
      where h.subject = 'annotation' and h.subject_id = w.subject_id and h.fields -> w.key is not null
        and (h.revision <= w.revision
          or w.revision is null and (h.image_revision is null or h.image_revision <= ${since}::int))
      order by h.revision desc limit 1) f`.execute(db);
  for (const { subject_id, key, value, revision } of rows) {
    const values: HistoryValues = byUuid.get(subject_id) ?? new Map();
    byUuid.set(subject_id, values.set(key, { value, revision }));
  }
  return byUuid;
}

function versionFromHistory(row: AnnotationRow, values: HistoryValues = new Map()): SentVersion {
  const stored = versionOf(row);
  const value = <T>(key: string, missing: T): T => (values.has(key) ? (values.get(key)?.value as T) : missing);
  const isbbox = value("isbbox", stored.isbbox);
  return {
    rings: ringsOf(values, isbbox) ?? stored.rings,
    isbbox,
    color: value("color", stored.color),
    metadata: value("metadata", stored.metadata),
    keypoints: value("keypoints", stored.keypoints),
  };
}

/** Returns the recorded polygons. A mask counts only with `rings: null`; newer rings replace an older mask. */
function ringsOf(values: HistoryValues, isbbox: boolean): Rings | undefined {
  const rings = values.get("rings");
  if (!rings) return undefined;
  if (rings.value) return rings.value as Rings;
  const rle = values.get("rle")?.value as Rle | null | undefined;
  const bbox = (values.get("bbox")?.value ?? [0, 0, 0, 0]) as Bbox;
  return shownRings({ shape: rle ?? null, bbox, isbbox });
}
