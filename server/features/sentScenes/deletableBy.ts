import { type Kysely, sql } from "kysely";
import { conflict } from "../../base/errors";
import type { AnnotationRow, Schema } from "../../db/schema";
import { scenesOf } from "./sentScenes";
import { heldOf } from "./sentVersions";

/**
 * The id of the annotation that a client means to delete: another one where its page's version was kept beside somebody
 * else's. A client without pages of the image means what it says. Throws 409 where none of its pages was sent the
 * annotation as it is now: older clients delete by themselves what they hold as empty.
 */
export async function deletableBy(db: Kysely<Schema>, client: string, row: AnnotationRow): Promise<number> {
  const scenes = await scenesOf(db, client, row.image_id);
  if (scenes.length === 0 || row.deleted_at) return row.id;
  const kept = scenes.map((scene) => heldOf(scene, row.id).id).find((id) => id !== row.id);
  if (kept !== undefined) return kept;
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
