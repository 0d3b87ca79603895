import { type Kysely, sql } from "kysely";
import { conflict } from "../../base/errors";
import type { AnnotationRow, Schema } from "../../db/schema";
import type { Live } from "../../live/live";
import { type ListedScene, type SentScene, scenesOf, UNKNOWN_REVISION } from "./sentScenes";
import { heldOf } from "./sentVersions";

/** Client that wants to delete an annotation. */
interface Deleter {
  client: string;
  /** True for a page of an older client, which may delete an annotation only in the version that it was sent. */
  isOlderPage: boolean;
  olderPages: Live["olderPages"];
}

/**
 * Returns the id of the annotation that a client wants to delete. It differs from the given one if the version of the
 * client's page was stored as a separate copy. The call does not name its page: the page loaded last counts or, if
 * others may still be open, all of them, which must agree. Throws 409 if they do not, or if the page does not have the
 * current version, because older clients delete annotations that look empty to them. A script that has not loaded the
 * image deletes the given annotation.
 */
export async function deletionTarget(db: Kysely<Schema>, deleter: Deleter, row: AnnotationRow): Promise<number> {
  const { client, isOlderPage, olderPages } = deleter;
  const scenes = await scenesOf(db, client, row.image_id);
  const [newest, ...older] = scenes.sort((a, b) => a.sentSeconds - b.sentSeconds);
  if (!newest) {
    if (isOlderPage && !row.deleted_at) throw changedSince(row.id);
    return row.id;
  }
  const isSeveral = olderPages.hasSeveral({ imageId: row.image_id, client }, newest.sentSeconds);
  const isOpen = ({ usedSeconds }: ListedScene) => isSeveral || usedSeconds < newest.sentSeconds;
  const changes = await changesByOthers(db, scenes, row);
  const targets = [newest, ...older.filter(isOpen)].map((scene) => targetOn(scene, row, changes));
  const [target, ...others] = new Set(targets.filter((each) => each !== "not shown"));
  if (others.length > 0) throw ambiguous(row.id);
  if (typeof target === "number") return target;
  if (target === undefined && row.deleted_at) return row.id;
  throw changedSince(row.id);
}

/**
 * Returns the id of the annotation that a page shows as `row`; `changed` if another user changed it since, and `not
 * shown` if it was created since, or deleted.
 */
function targetOn(scene: SentScene, row: AnnotationRow, changes: readonly Change[]): number | "changed" | "not shown" {
  const { id } = heldOf(scene, row.id);
  if (id === row.id && row.deleted_at) return "not shown";
  const unknown = changes.filter((change) => change.id === id && change.image_revision > scene.revision);
  const isCreated = unknown.some(({ revision }) => revision === 1) && scene.revision !== UNKNOWN_REVISION;
  if (isCreated) return "not shown";
  return unknown.length > 0 ? "changed" : id;
}

const changedSince = (id: number) =>
  conflict(`Annotation ${id} was changed by another user after it was loaded. Load the image again, then delete it.`);

const ambiguous = (id: number) =>
  conflict(
    `This image is open in several tabs, which show different versions of annotation ${id}. Close the others, load the image again, then delete it.`,
  );

interface Change {
  id: number;
  revision: number;
  image_revision: number;
}

/**
 * Returns the changes to an annotation, and to its copies on the client's pages, that others have made since the oldest
 * page was loaded.
 */
async function changesByOthers(
  db: Kysely<Schema>,
  scenes: readonly SentScene[],
  row: AnnotationRow,
): Promise<Change[]> {
  const held = scenes.map((scene) => heldOf(scene, row.id));
  const ids = [row.id, ...held.map(({ id }) => id)];
  const { rows } = await sql<Change>`
    select a.id, h.revision, h.image_revision from annotations a
    join edit_history h on h.subject = 'annotation' and h.subject_id = a.uuid::text and h.image_id = a.image_id
    where a.id = any(${ids}::int[]) and h.image_revision > ${Math.min(...scenes.map(({ revision }) => revision))}`.execute(
    db,
  );
  return rows.filter(({ id, revision }) => !held.some((each) => each.id === id && each.own.includes(revision)));
}
