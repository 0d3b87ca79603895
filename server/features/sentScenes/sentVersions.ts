import { type Kysely, sql } from "kysely";
import type { Keypoint } from "../../../shared/entities/keypoint";
import type { Metadata } from "../../../shared/entities/scalars";
import type { Bbox, Rings, Rle } from "../../../shared/entities/shape";
import type { AnnotationRow, Schema } from "../../db/schema";
import { shownRings } from "../annotations/rows/annotationRow";
import type { Held, SentScene } from "./sentScenes";

/** An annotation as a page of an older client was last sent it, or made it itself. */
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

/** Keys of an annotation's history that make its version. */
const SHAPE_KEYS = ["rings", "rle", "isbbox", "bbox"];
const KEYS = [...SHAPE_KEYS, "color", "metadata", "keypoints"];

/** The part of the map of what a page knows that belongs to one annotation. */
export const heldOf = (scene: SentScene, id: number): Held => scene.known.annotations?.[id] ?? { id, own: [] };

interface Wanted {
  subject_id: string;
  key: string;
  /** Of the annotation; null means as it was when the scene was sent. */
  revision: number | null;
}

/**
 * The versions of annotations that a page holds, by the annotations' ids. Those that nobody changed since are as stored;
 * the others are read from the history of edits, field by field; those of which it tells nothing were made later, and the
 * page was not sent them.
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
  const wanted = stale.flatMap((row) => wantedOf(row, heldBy.get(row.id)));
  const told = await readHistory(db, scene.revision, wanted);
  const versions = new Map<number, SentVersion>();
  for (const row of rows) {
    if (!changed.has(row.uuid)) versions.set(row.id, versionOf(row));
    else if (told.has(row.uuid)) versions.set(row.id, asTold(row, told.get(row.uuid)));
  }
  return versions;
}

async function changedSince(db: Kysely<Schema>, imageId: number, revision: number): Promise<Set<string>> {
  const { rows } = await sql<{ subject_id: string }>`
    select distinct subject_id from edit_history
    where image_id = ${imageId} and image_revision > ${revision} and subject = 'annotation'`.execute(db);
  return new Set(rows.map((row) => row.subject_id));
}

const wantedOf = ({ uuid }: AnnotationRow, held: Held | undefined): Wanted[] =>
  KEYS.map((key) => {
    const revision = (SHAPE_KEYS.includes(key) ? held?.shape : undefined) ?? held?.base ?? null;
    return { subject_id: uuid, key, revision };
  });

type Told = Map<string, { value: unknown; revision: number }>;

async function readHistory(db: Kysely<Schema>, since: number, wanted: readonly Wanted[]): Promise<Map<string, Told>> {
  const byUuid = new Map<string, Told>();
  if (wanted.length === 0) return byUuid;
  const { rows } = await sql<{ subject_id: string; key: string; value: unknown; revision: number }>`
    select w.subject_id, w.key, f.value, f.revision
    from json_to_recordset(${JSON.stringify(wanted)}::json) as w(subject_id text, key text, revision int)
    cross join lateral (
      select h.fields -> w.key as value, h.revision from edit_history h
      where h.subject = 'annotation' and h.subject_id = w.subject_id and h.fields -> w.key is not null
        and (h.revision <= w.revision
          or w.revision is null and (h.image_revision is null or h.image_revision <= ${since}::int))
      order by h.revision desc limit 1) f`.execute(db);
  for (const { subject_id, key, value, revision } of rows) {
    const told: Told = byUuid.get(subject_id) ?? new Map();
    byUuid.set(subject_id, told.set(key, { value, revision }));
  }
  return byUuid;
}

function asTold(row: AnnotationRow, told: Told = new Map()): SentVersion {
  const stored = versionOf(row);
  const value = <T>(key: string, missing: T): T => (told.has(key) ? (told.get(key)?.value as T) : missing);
  const isbbox = value("isbbox", stored.isbbox);
  return {
    rings: ringsOf(told, isbbox) ?? stored.rings,
    isbbox,
    color: value("color", stored.color),
    metadata: value("metadata", stored.metadata),
    keypoints: value("keypoints", stored.keypoints),
  };
}

/** A mask stands beside `rings: null`; an older mask beside newer rings does not count. */
function ringsOf(told: Told, isbbox: boolean): Rings | undefined {
  const rings = told.get("rings");
  if (!rings) return undefined;
  if (rings.value) return rings.value as Rings;
  const rle = told.get("rle")?.value as Rle | null | undefined;
  const bbox = (told.get("bbox")?.value ?? [0, 0, 0, 0]) as Bbox;
  return shownRings({ shape: rle ?? null, bbox, isbbox });
}
