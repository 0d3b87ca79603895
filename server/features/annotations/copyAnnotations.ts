import { type Kysely, sql, type Transaction } from "kysely";
import type { copyAnnotations as call } from "../../../shared/api/image";
import type { BodyOf } from "../../../shared/api/protocol/call";
import { same } from "../../../shared/edits/same";
import { badRequest, conflict, type HttpError } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { type CopiedAnnotation, copyAnnotationRows, insertScaledAnnotations } from "../../db/rows/annotations";
import { listCategories } from "../../db/rows/categories";
import type { ImageRow, Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { categoriesSeenBy, editableImage, visibleImage } from "../access/access";
import { requesterOf } from "../measuring/measuring";
import type { Services } from "../services";
import { pagesToCopy } from "./copySource";
import { recountImages } from "./rows/recountImages";
import { type ScaledPage, scaledPages } from "./scaledPages";

type Trx = Transaction<Schema>;

interface CopyRequest extends BodyOf<typeof call> {
  fromId: number;
  toId: number;
}

/**
 * Maximum number of attempts at a copy. Another attempt is needed when the source or target changed while the shapes
 * were scaled.
 */
const MAX_ATTEMPTS = 3;

/**
 * Copies the annotations of one image that have a shape or keypoints to another image, all or none, in one transaction.
 * Adds missing categories to the target dataset and skips annotations whose category the user may not use. This is a
 * bulk write: the target's revision rises once. Returns the number of copies. Throws 404 if the user cannot see an
 * image, and 403 if the user may not change the target; 400 if source and target are the same, if their sizes differ
 * and `scale` is not set, or if COPY_LIMITS are exceeded; 409 if the images keep changing while the annotations are
 * scaled.
 */
export async function copyAnnotations(
  services: Pick<Services, "db" | "live">,
  user: CurrentUser,
  request: CopyRequest,
): Promise<number> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const work = await prepare(services.db, user, request);
    const done = await transaction(services.db, (trx) => store(trx, user, request, work));
    if (!done) continue;
    notifyTargetRoom(services.live, request.toId, done);
    if (done.listed > 0) services.live.notifyCategories([done.datasetId]);
    return done.copies.length;
  }
  throw conflict("The image is being changed. Please try again.");
}

/** Work done before the target image is locked, so that its users are not blocked. */
interface Work {
  from: ImageRow;
  to: ImageRow;
  categories: number[];
  /** Ids of the annotations to copy, in pages. */
  pages: number[][];
  /** Null if both images have the same size. */
  scaled: ScaledPage[] | null;
}

async function prepare(db: Kysely<Schema>, user: CurrentUser, request: CopyRequest): Promise<Work> {
  const { image: from } = await visibleImage(db, user, request.fromId);
  const { image: to } = await editableImage(db, user, request.toId);
  if (from.id === to.id) throw badRequest("Cannot copy self");
  const isSame = from.width === to.width && from.height === to.height;
  if (!isSame && !request.scale) throw differentSizes(from, to);
  const categories = await usableCategories(db, user, from.id, request.category_ids ?? null);
  const pages = await pagesToCopy(db, from.id, categories);
  return {
    from,
    to,
    categories,
    pages,
    scaled: isSame ? null : await scaledPages(db, pages, from, to, requesterOf(user)),
  };
}

interface Done {
  copies: CopiedAnnotation[];
  datasetId: number;
  /** Number of categories that were added to the dataset's list. */
  listed: number;
  image: { revision: number };
}

/**
 * Stores the copies. Returns undefined if the prepared work is stale: an image size, the categories or the scaled
 * annotations changed.
 */
async function store(trx: Trx, user: CurrentUser, request: CopyRequest, work: Work): Promise<Done | undefined> {
  await sql`select from images where id = ${request.toId} for update`.execute(trx);
  // Waiting for the lock may take a while, and either image may have been changed or deleted since.
  const { image: from } = await visibleImage(trx, user, request.fromId);
  const { image: to, dataset } = await editableImage(trx, user, request.toId);
  const categories = await usableCategories(trx, user, from.id, request.category_ids ?? null);
  const isFresh = sameSize(from, work.from) && sameSize(to, work.to) && same(categories, work.categories);
  if (!isFresh || (work.scaled && from.revision !== work.from.revision)) return undefined;
  const copies: CopiedAnnotation[] = [];
  if (work.scaled)
    for (const page of work.scaled) copies.push(...(await insertScaledAnnotations(trx, user, to.id, page)));
  else for (const ids of work.pages) copies.push(...(await copyAnnotationRows(trx, user, to.id, ids)));
  const listed = await listCategories(trx, dataset.id, [...new Set(copies.map((row) => row.category_id))]);
  return { copies, datasetId: dataset.id, listed, image: await raiseRevision(trx, to, copies.length) };
}

const sameSize = (a: ImageRow, b: ImageRow): boolean => a.width === b.width && a.height === b.height;

function notifyTargetRoom(live: Services["live"], image_id: number, { copies: [first], image }: Done): void {
  if (!first) return;
  const { id, uuid, category_id } = first;
  live.notifyImageRoom({
    action: "create",
    annotation: { id, image_id, category_id, uuid },
    category_id,
    uuid: null,
    image_id,
    image_revision: image.revision,
  });
}

const differentSizes = (from: ImageRow, to: ImageRow): HttpError =>
  badRequest(
    `Image sizes do not match: ${from.width} x ${from.height} and ${to.width} x ${to.height}. ` +
      `With "scale": true the annotations are scaled.`,
  );

/** Returns the ids of the image's categories that are requested and that the user may use. */
async function usableCategories(
  db: Kysely<Schema>,
  user: CurrentUser,
  imageId: number,
  wanted: readonly number[] | null,
): Promise<number[]> {
  const rows = await categoriesSeenBy(db, user)
    .select("categories.id")
    .where("categories.id", "in", (eb) =>
      eb.selectFrom("annotations").select("category_id").where("image_id", "=", imageId),
    )
    .orderBy("categories.id")
    .execute();
  const chosen = wanted && new Set(wanted);
  return rows.map((row) => row.id).filter((id) => !chosen || chosen.has(id));
}

/** Raises the image's revision. Clients that have it open must reload, since a bulk write leaves no history. */
async function raiseRevision(trx: Trx, image: ImageRow, copies: number): Promise<{ revision: number }> {
  if (copies === 0) return image;
  await recountImages(trx, [image.id]);
  return trx
    .updateTable("images")
    .set({ revision: sql`revision + 1`, reload_revision: sql`revision + 1` })
    .where("id", "=", image.id)
    .returning("revision")
    .executeTakeFirstOrThrow();
}
