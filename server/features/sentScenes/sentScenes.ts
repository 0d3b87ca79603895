import { createHash, randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Metadata } from "../../../shared/entities/scalars";
import { toWire } from "../../../shared/rules/keypointDefinition";
import type { CurrentUser } from "../../base/permissions";
import type { RunAlone } from "../../db/open/runAlone";
import type { Schema } from "../../db/schema";
import { categoryIdsOf } from "../scene/frame";
import type { SceneHead } from "../scene/readHead";

/**
 * A scene that was sent to a page of an older client. Such a page returns its whole scene with every save and deletes
 * annotations that look empty to it. The changes of the page's user can be told apart from those of other users only by
 * comparing the save with the scene that was sent. Stored in the database, so that every process knows it, even after a
 * restart (docs/decisions/0020).
 */
export interface SentScene {
  id: string;
  /** Revision of the image when it was sent. */
  revision: number;
  sent: SentParts;
  /** Changes that the page has made since then, by the annotation's id on the page. */
  known: Known;
}

/** Parts of a scene that cannot be read from the history of edits. */
export interface SentParts {
  category_ids: number[];
  metadata: Metadata;
  annotate_url: string;
  /** Digests of the LOOK_FIELDS of each category, by category id. */
  looks: { [id: string]: Look };
}

export const LOOK_FIELDS = ["color", "keypoint_labels", "keypoint_edges", "keypoint_colors"] as const;
export type Look = { [F in (typeof LOOK_FIELDS)[number]]?: string };

/**
 * A field as the page returned it with its last save (`got`), and as it was stored then, merged with other users'
 * changes.
 */
export interface Returned<T> {
  got: T;
  stored: T;
}

/** Changes that a page made to an annotation. */
export interface Held {
  /**
   * Id of the stored annotation. Differs from the id on the page if the page's version was stored as a separate copy.
   */
  id: number;
  /** Revision at which the client created it; absent if it was sent with the scene. */
  base?: number;
  /** Revisions made by this client. */
  own: number[];
  /** Revision whose outline is on the page. */
  shape?: number;
  /** Flat triples. */
  keypoints?: Returned<number[]>;
  color?: Returned<string>;
  metadata?: Returned<Metadata>;
}

export interface Known {
  annotations?: { [id: string]: Held };
  /** Image fields of the last save. */
  image?: { metadata?: Returned<Metadata>; category_ids?: number[] };
}

/** Maximum number of scenes kept per client and image. The least recently used scenes are dropped. */
const MAX_PAGES = 20;
/** Days without a save after which a scene is deleted. Later saves of its page are compared with the stored rows. */
const KEPT_DAYS = 14;
const PRUNE_EVERY_MS = 6 * 3_600_000;

/** Returns a short digest of a JSON value. */
export const digestOf = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(value ?? null))
    .digest("base64url")
    .slice(0, 12);

/** Stores the scene that is about to be sent. Returns its id, which the page includes in its saves. */
export async function recordScene(
  db: Kysely<Schema>,
  user: CurrentUser,
  client: string,
  { image, dataset, categories }: SceneHead,
): Promise<string> {
  const id = randomUUID();
  const looks = Object.fromEntries(categories.map((category) => [category.id, lookOf(category)]));
  const { metadata, revision } = image;
  const sent: SentParts = { category_ids: categoryIdsOf(image), metadata, annotate_url: dataset.annotate_url, looks };
  await insertScene(db, user, client, image.id, { id, revision, sent });
  return id;
}

/** Inserts a scene, and removes those least recently used beyond the limit. Does nothing without the image. */
async function insertScene(
  db: Kysely<Schema>,
  user: CurrentUser,
  client: string,
  imageId: number,
  { id, revision, sent }: Omit<SentScene, "known">,
): Promise<void> {
  await sql`
    with old as (
      delete from sent_scenes where id in (
        select id from sent_scenes where image_id = ${imageId} and client = ${client}
        order by used_at desc offset ${MAX_PAGES - 1})
    )
    insert into sent_scenes (id, user_id, client, image_id, revision, sent)
    select ${id}::uuid, ${user.id}::int, ${client}, i.id, ${revision}::int, ${JSON.stringify(sent)}::jsonb
    from images i where i.id = ${imageId} on conflict (id) do nothing`.execute(db);
}

function lookOf({ color, keypoints }: SceneHead["categories"][number]): Look {
  // Lower case, because colours in saves are parsed to lower case.
  const look = { color: color.toLowerCase(), ...toWire(keypoints) };
  return Object.fromEntries(LOOK_FIELDS.map((field) => [field, digestOf(look[field])]));
}

/**
 * Stores a scene under the name in a save if its row was removed: the page was open for very long, or the client has
 * opened the image many times since. The content that the page was sent counts as unknown.
 */
export async function reviveScene(
  db: Kysely<Schema>,
  user: CurrentUser,
  client: string,
  imageId: number,
  { id, annotateUrl }: { id: string; annotateUrl: string },
): Promise<void> {
  const sent: SentParts = { category_ids: [], metadata: {}, annotate_url: annotateUrl, looks: {} };
  await insertScene(db, user, client, imageId, { id, revision: UNKNOWN_REVISION, sent });
}

/** Revision of a scene whose content is unknown: images start with 1. */
export const UNKNOWN_REVISION = 0;

/**
 * Marks a scene as used, since its client shows it again. Returns false if the scene is not stored for this client and
 * image.
 */
export async function keepScene(db: Kysely<Schema>, client: string, imageId: number, id: string): Promise<boolean> {
  const { rows } = await sql`
    update sent_scenes set used_at = now() where id = ${id}::uuid and client = ${client} and image_id = ${imageId}::int
    returning 1`.execute(db);
  return rows.length > 0;
}

/** A scene, with the seconds since it was sent and since it was last saved or shown again. */
export interface ListedScene extends SentScene {
  sentSeconds: number;
  usedSeconds: number;
}

/** Returns the scenes of an image that a client may have open, most recently used first. */
export async function scenesOf(db: Kysely<Schema>, client: string, imageId: number): Promise<ListedScene[]> {
  const { rows } = await sql<ListedScene>`
    select id, revision, sent, known, extract(epoch from clock_timestamp() - sent_at)::float8 as "sentSeconds",
      extract(epoch from clock_timestamp() - used_at)::float8 as "usedSeconds"
    from sent_scenes
    where image_id = ${imageId} and client = ${client} order by used_at desc, revision desc`.execute(db);
  return rows;
}

/** Returns a scene by id; undefined if it belongs to another user or image, or was deleted. */
export async function sceneOfId(
  db: Kysely<Schema>,
  user: CurrentUser,
  imageId: number,
  id: string,
): Promise<SentScene | undefined> {
  const { rows } = await sql<SentScene>`
    select id, revision, sent, known from sent_scenes
    where id = ${id}::uuid and user_id = ${user.id} and image_id = ${imageId}`.execute(db);
  return rows[0];
}

export async function storeKnown(db: Kysely<Schema>, { id, known }: SentScene): Promise<void> {
  await sql`update sent_scenes set known = ${JSON.stringify(known)}::jsonb, used_at = now() where id = ${id}`.execute(
    db,
  );
}

/**
 * Records in all scenes of a client that one of its single calls changed an annotation. The call does not say which
 * page it came from, and the other pages never refer to a new annotation. The caller must have locked the image's row.
 */
export async function recordOwnRevision(
  db: Kysely<Schema>,
  client: string,
  imageId: number,
  { id, revision, isNew = false }: { id: number; revision: number; isNew?: boolean },
): Promise<void> {
  for (const scene of await scenesOf(db, client, imageId)) {
    const annotations = scene.known.annotations ?? {};
    const held = annotations[id] ?? { id, ...(isNew && { base: revision }), own: [] };
    annotations[id] = { ...held, own: [...held.own, revision] };
    await sql`update sent_scenes set known = ${JSON.stringify({ ...scene.known, annotations })}::jsonb
      where id = ${scene.id}`.execute(db);
  }
}

export async function pruneScenes(db: Kysely<Schema>): Promise<void> {
  await sql`delete from sent_scenes where used_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
}

/** Prunes every six hours until the returned function is called. `report` receives errors. */
export function pruneScenesRegularly(
  db: Kysely<Schema>,
  runAlone: RunAlone,
  report: (error: unknown) => void,
): () => void {
  const timer = setInterval(() => runAlone("scenes", () => pruneScenes(db)).catch(report), PRUNE_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
