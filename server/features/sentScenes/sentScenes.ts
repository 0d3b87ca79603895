import { createHash, randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Metadata } from "../../../shared/entities/scalars";
import { toWire } from "../../../shared/rules/keypointDefinition";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { categoryIdsOf } from "../scene/frame";
import type { SceneHead } from "../scene/readHead";

/**
 * Scenes that pages of older clients were sent. Such a page returns all it holds with every save, and deletes what it
 * holds as empty: only beside what it was sent can its user's changes be told from what others did meanwhile. Kept in
 * the database, so that any process knows it, also after a restart (docs/decisions/0020).
 */
export interface SentScene {
  id: string;
  /** The image's revision as sent. */
  revision: number;
  sent: SentParts;
  /** The page's own changes beyond that, by the annotation's id as the page knows it. */
  known: Known;
}

/** Parts of a scene that the history of edits does not tell. */
export interface SentParts {
  category_ids: number[];
  metadata: Metadata;
  annotate_url: string;
  /** By category id: a digest of each field of its look. */
  looks: { [id: string]: Look };
}

export const LOOK_FIELDS = ["color", "keypoint_labels", "keypoint_edges", "keypoint_colors"] as const;
export type Look = { [F in (typeof LOOK_FIELDS)[number]]?: string };

/** A field as the page returned it with its last save, and as it was stored then: with what others had made of it. */
export interface Returned<T> {
  got: T;
  stored: T;
}

/** A page's own changes to an annotation that it was sent. */
export interface Held {
  /** The annotation that stands for it: another one where the page's version was kept beside somebody else's. */
  id: number;
  /** The revision at which the client made it; absent for what was sent with the scene. */
  base?: number;
  /** Revisions of it that this client made. */
  own: number[];
  /** The revision that has the outline which the page holds. */
  shape?: number;
  /** Flat triples. */
  keypoints?: Returned<number[]>;
  color?: Returned<string>;
  metadata?: Returned<Metadata>;
}

export interface Known {
  annotations?: { [id: string]: Held };
  /** The image's own part of the last save. */
  image?: { metadata?: Returned<Metadata>; category_ids?: number[] };
}

/** A client's pages of one image that are remembered: the oldest goes when there are more. */
const MAX_PAGES = 20;
/** After so long without a save a page is forgotten: its saves are then compared with what is stored. */
const KEPT_DAYS = 14;
const PRUNE_EVERY_MS = 6 * 3_600_000;

/** A short digest of any JSON value. */
export const digestOf = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(value ?? null))
    .digest("base64url")
    .slice(0, 12);

/** Remembers what is about to be sent. Returns the scene's id, which the page returns with its saves. */
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
  await sql`
    with old as (
      delete from sent_scenes where id in (
        select id from sent_scenes where image_id = ${image.id} and client = ${client}
        order by used_at desc offset ${MAX_PAGES - 1})
    )
    insert into sent_scenes (id, user_id, client, image_id, revision, sent)
    select ${id}::uuid, ${user.id}::int, ${client}, i.id, ${revision}::int, ${JSON.stringify(sent)}::jsonb
    from images i where i.id = ${image.id}`.execute(db);
  return id;
}

function lookOf({ color, keypoints }: SceneHead["categories"][number]): Look {
  // In lower case, as a save is read.
  const look = { color: color.toLowerCase(), ...toWire(keypoints) };
  return Object.fromEntries(LOOK_FIELDS.map((field) => [field, digestOf(look[field])]));
}

/** The pages of an image that a client may have open, the newest first. */
export async function scenesOf(db: Kysely<Schema>, client: string, imageId: number): Promise<SentScene[]> {
  const { rows } = await sql<SentScene>`
    select id, revision, sent, known from sent_scenes
    where image_id = ${imageId} and client = ${client} order by used_at desc, revision desc`.execute(db);
  return rows;
}

/** The scene that a user's page names; undefined where it is not theirs, of another image, or forgotten. */
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

export async function keepKnown(db: Kysely<Schema>, { id, known }: SentScene): Promise<void> {
  await sql`update sent_scenes set known = ${JSON.stringify(known)}::jsonb, used_at = now() where id = ${id}`.execute(
    db,
  );
}

/**
 * Notes on all pages of a client what one of its single calls did to an annotation: which of the pages it was is not
 * known, and the others never name a new one. The image's row is locked by the caller.
 */
export async function noteOwn(
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

/** Prunes now and then until the returned function is called. `report` gets what went wrong. */
export function pruneScenesRegularly(db: Kysely<Schema>, report: (error: unknown) => void): () => void {
  const timer = setInterval(() => pruneScenes(db).catch(report), PRUNE_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
