import { randomUUID } from "node:crypto";
import { type Kysely, sql, type Transaction } from "kysely";
import type { MergedShape } from "../../../shared/agreement/mergeObject";
import type { mergeCopies as mergeCall } from "../../../shared/api/datasets/consensus";
import type { BodyOf } from "../../../shared/api/protocol/call";
import { creation, deletion } from "../../../shared/edits/make";
import { badRequest, HttpError } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { isLiveAnnotation } from "../../db/rows/annotations";
import type { AnnotationRow, Schema } from "../../db/schema";
import { annotationOf } from "../annotations/rows/annotationRow";
import type { ServerAnnotationEdit } from "../annotations/rows/serverEdit";
import { lockImages } from "../bulk/bulkWrite";
import { storeForCall } from "../edits/storeForCall";
import type { Services } from "../services";
import { withAgreementThread } from "./compare/agreementThread";
import type { UnparsedAnnotation } from "./compare/question";
import { readAnnotations } from "./compare/readAnnotations";
import { loadCopies } from "./copies/copies";

type Db = Kysely<Schema>;
type Order = BodyOf<typeof mergeCall>;

/** An annotation that a merge has made or deleted, with its revision afterwards. */
interface Written {
  uuid: string;
  revision: number;
}

/**
 * Writes objects that annotators have drawn on copies of an image into the image, as edits of the user, all or none.
 * Attributes, metadata and colour are those of the first annotation with the category. Throws 409 if a copy or the
 * image has changed since the user saw it, and 400 if an annotation is of no copy.
 */
export async function mergeCopies(
  services: Pick<Services, "db" | "live">,
  user: CurrentUser,
  image: { id: number; dataset_id: number; width: number; height: number },
  { objects, replace, revisions, image_revision: seen }: Order,
): Promise<{ created: number; deleted: number; merged_at: string | null }> {
  const drawn = await readDrawn(services.db, image, revisions);
  const annotationsOf = ({ annotations }: Order["objects"][number]) =>
    annotations.map((id) => {
      const found = drawn.get(id);
      if (!found) throw badRequest("An annotation belongs to no copy of this image.");
      return found;
    });
  const asked = objects.map((object) => ({ how: object.how, annotations: annotationsOf(object) }));
  const { width, height } = image;
  const shapes = await withAgreementThread((thread) =>
    thread.ask({ what: "merge", objects: asked, size: { width, height } }),
  ).catch((error) => {
    throw badRequest(error instanceof Error ? error.message : "The outlines cannot be merged.");
  });
  const ids = asked.map(({ annotations }, i) => sourceOf(annotations, (shapes as MergedShape[])[i]!));
  return storeForCall(services, user, async (trx, store) => {
    await lockImages(trx, [image.id]);
    if (seen !== undefined) await requireRevision(trx, image.id, seen);
    const sources = await readRows(trx, sql`id = any(${ids}::integer[])`);
    const byId = new Map(sources.map((row) => [row.id, row]));
    const present = replace ? await readRows(trx, sql`image_id = ${image.id}::integer and ${isLiveAnnotation()}`) : [];
    const created = (shapes as MergedShape[]).map((shape, i) => creationOf(image.id, shape, byId.get(ids[i]!)!));
    const deleted = present.map((row) => deletion(randomUUID(), annotationOf(row)));
    const edits: ServerAnnotationEdit[] = [...deleted, ...created];
    const answers = edits.length > 0 ? await store(edits) : [];
    const written = edits.map(({ target }, i): Written => ({ uuid: target, revision: answers[i]?.revision ?? 0 }));
    const record = { deleted: written.slice(0, deleted.length), created: written.slice(deleted.length) };
    const mergedAt = edits.length > 0 ? await recordMerge(trx, user, image.id, record) : null;
    return { created: created.length, deleted: deleted.length, merged_at: mergedAt };
  });
}

/**
 * Throws 409 unless a locked image has the revision that the user saw: others may have drawn annotations that a merge
 * would replace unseen, or have merged the same copies.
 */
async function requireRevision(trx: Transaction<Schema>, imageId: number, seen: number): Promise<void> {
  const image = await trx.selectFrom("images").select("revision").where("id", "=", imageId).executeTakeFirst();
  if (image?.revision !== seen)
    throw new HttpError(409, "The image was changed meanwhile. Nothing was changed. Look at it again.", {
      code: "revision_changed",
    });
}

/** Reads the annotations of an image's copies by id. Throws 409 unless all copies are as the user saw them. */
async function readDrawn(
  db: Db,
  image: { id: number; dataset_id: number },
  revisions: Order["revisions"],
): Promise<Map<number, UnparsedAnnotation>> {
  const copies = await loadCopies(db, image.dataset_id, image.id);
  const read = await readAnnotations(
    db,
    copies.map(({ id }) => id),
  );
  const isSeen = copies.every(({ id }) =>
    revisions.some(({ copy_id, revision }) => copy_id === id && revision === read.get(id)?.revision),
  );
  if (!isSeen)
    throw new HttpError(409, "An annotator has changed a copy meanwhile. Nothing was changed. Look at it again.", {
      code: "revision_changed",
    });
  const all = [...read.values()].flatMap(({ annotations }) => annotations);
  return new Map(all.map((annotation) => [annotation.id, annotation]));
}

/** Returns the annotation from which an object's attributes come. */
const sourceOf = (annotations: readonly UnparsedAnnotation[], { category_id }: MergedShape): number =>
  (annotations.find((each) => each.category_id === category_id) ?? annotations[0]!).id;

async function readRows(trx: Transaction<Schema>, condition: ReturnType<typeof sql>): Promise<AnnotationRow[]> {
  return trx.selectFrom("annotations").selectAll().where(sql<boolean>`${condition}`).orderBy("id").execute();
}

function creationOf(imageId: number, shape: MergedShape, source: AnnotationRow): ServerAnnotationEdit {
  const { color, metadata, attributes } = annotationOf(source);
  const { category_id, rings, isbbox, keypoints } = shape;
  return creation(randomUUID(), imageId, randomUUID(), {
    ...{ category_id, rings, isbbox, keypoints },
    ...{ color, metadata, attributes },
  });
}

/** Returns the time of the merge. */
async function recordMerge(
  trx: Transaction<Schema>,
  user: CurrentUser,
  imageId: number,
  { created, deleted }: { created: Written[]; deleted: Written[] },
): Promise<string | null> {
  const { rows } = await sql<{ merged_at: Date }>`
    insert into consensus_merges (image_id, user_id, created, deleted)
    values (${imageId}::integer, ${user.id}::integer, ${JSON.stringify(created)}::jsonb, ${JSON.stringify(deleted)}::jsonb)
    on conflict (image_id) do update set user_id = excluded.user_id, created = excluded.created,
      deleted = excluded.deleted, merged_at = now()
    returning merged_at`.execute(trx);
  return rows[0]?.merged_at.toISOString() ?? null;
}

/**
 * Undoes the last merge of an image, as edits of the user: what it has made moves to the trash, and what it has
 * replaced returns. Annotations that were changed, deleted or restored since stay as they are. Does nothing without a
 * merge. Throws 409 if the last merge was made at another time than `mergedAt`.
 */
export function undoMerge(
  services: Pick<Services, "db" | "live">,
  user: CurrentUser,
  imageId: number,
  mergedAt: string | undefined,
): Promise<{ deleted: number; restored: number }> {
  return storeForCall(services, user, async (trx, store) => {
    await lockImages(trx, [imageId]);
    const { rows } = await sql<{ created: Written[]; deleted: Written[]; merged_at: Date }>`
      delete from consensus_merges where image_id = ${imageId}::integer
      returning created, deleted, merged_at`.execute(trx);
    const last = rows[0]?.merged_at.toISOString() ?? mergedAt;
    if (mergedAt !== undefined && mergedAt !== last)
      throw new HttpError(409, "The image was merged again meanwhile. Nothing was changed. Look at it again.", {
        code: "revision_changed",
      });
    const { created = [], deleted = [] } = rows[0] ?? {};
    const made = await unchanged(trx, created);
    const replaced = (await unchanged(trx, deleted)).filter(({ deleted_at }) => deleted_at !== null);
    const removed = made.filter(({ deleted_at }) => deleted_at === null);
    const edits: ServerAnnotationEdit[] = [
      ...removed.map((row) => deletion(randomUUID(), annotationOf(row))),
      ...replaced.map((row) => ({ ...creation(randomUUID(), imageId, row.uuid, {}), base: row.revision })),
    ];
    if (edits.length > 0) await store(edits);
    return { deleted: removed.length, restored: replaced.length };
  });
}

/** Returns the annotations that have the revision that the merge gave them. */
async function unchanged(trx: Transaction<Schema>, written: readonly Written[]): Promise<AnnotationRow[]> {
  const rows = await readRows(trx, sql`uuid = any(${written.map(({ uuid }) => uuid)}::uuid[])`);
  const revisions = new Map(written.map(({ uuid, revision }) => [uuid, revision]));
  return rows.filter((row) => revisions.get(row.uuid) === row.revision);
}
