import { type Kysely, sql } from "kysely";
import { conflict } from "../../base/errors";
import type { AnnotationRow, Schema } from "../../db/schema";
import { type SentScene, scenesOf } from "./sentScenes";
import { heldOf } from "./sentVersions";

/**
 * Returns the id of the annotation that a client wants to delete. It differs from the given one if the version of the
 * client's page was stored as a separate copy. The call does not name its page: of several, the one used last that has
 * a copy or the current version counts. A client without open pages of the image deletes the given one. Throws 409 if
 * none of its pages has the current version, because older clients delete annotations that look empty to them.
 */
export async function deletionTarget(db: Kysely<Schema>, client: string, row: AnnotationRow): Promise<number> {
  const scenes = await scenesOf(db, client, row.image_id);
  const changes = await changesOnPages(db, scenes, row);
  for (const scene of scenes) {
    const { id, own } = heldOf(scene, row.id);
    // The page does not show the annotation, or will lose it with its next load.
    if (id === row.id && row.deleted_at) continue;
    const isKnown = (change: Change) => change.image_revision <= scene.revision || own.includes(change.revision);
    if (changes.filter((change) => change.id === id).every(isKnown)) return id;
    if (id !== row.id) throw changedSince(id);
  }
  if (scenes.length === 0 || row.deleted_at) return row.id;
  throw changedSince(row.id);
}

const changedSince = (id: number) =>
  conflict(`Annotation ${id} was changed by another user after it was loaded. Load the image again, then delete it.`);

interface Change {
  id: number;
  revision: number;
  image_revision: number;
}

/** Returns the changes of an annotation, and of its copies on the client's pages, since the oldest page was loaded. */
async function changesOnPages(db: Kysely<Schema>, scenes: readonly SentScene[], row: AnnotationRow): Promise<Change[]> {
  if (scenes.length === 0) return [];
  const ids = [row.id, ...scenes.map((scene) => heldOf(scene, row.id).id)];
  const { rows } = await sql<Change>`
    select a.id, h.revision, h.image_revision from annotations a
    join edit_history h on h.subject = 'annotation' and h.subject_id = a.uuid::text and h.image_id = a.image_id
    where a.id = any(${ids}::int[]) and h.image_revision > ${Math.min(...scenes.map(({ revision }) => revision))}`.execute(
    db,
  );
  return rows;
}
