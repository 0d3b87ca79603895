import { type Kysely, sql } from "kysely";
import { conflict } from "../../base/errors";
import type { AnnotationRow, Schema } from "../../db/schema";
import { scenesOf } from "./sentScenes";
import { heldOf } from "./sentVersions";

/**
 * Returns the id of the annotation that a client wants to delete. It differs from the given one if the version of the
 * client's page was stored as a separate copy. A client without open pages of the image deletes the given one. Throws
 * 409 if none of its pages has the current version, because older clients delete annotations that look empty to them.
 */
export async function deletionTarget(db: Kysely<Schema>, client: string, row: AnnotationRow): Promise<number> {
  const scenes = await scenesOf(db, client, row.image_id);
  if (scenes.length === 0 || row.deleted_at) return row.id;
  const copyId = scenes.map((scene) => heldOf(scene, row.id).id).find((id) => id !== row.id);
  if (copyId !== undefined) return copyId;
  const { rows: changes } = await sql<{ revision: number; image_revision: number }>`
    select revision, image_revision from edit_history
    where subject = 'annotation' and subject_id = ${row.uuid} and image_id = ${row.image_id}
      and image_revision > ${Math.min(...scenes.map(({ revision }) => revision))}`.execute(db);
  const isCurrent = scenes.some((scene) => {
    const { own } = heldOf(scene, row.id);
    return changes.every(({ revision, image_revision }) => image_revision <= scene.revision || own.includes(revision));
  });
  if (isCurrent) return row.id;
  throw conflict(
    `Annotation ${row.id} was changed by another user after it was loaded. Load the image again, then delete it.`,
  );
}
