import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { AnnotationDocument } from "../../../shared/api/annotation";
import type { Shape } from "../../../shared/entities/shape";
import { absentAs, notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { isVisibleAnnotation, SHORT_COLUMNS } from "../../db/rows/annotations";
import { isLiveImage } from "../../db/rows/images";
import type { AnnotationRow, CategoryRow, ImageRow, Schema } from "../../db/schema";
import { jsonPieces } from "../../threads/jsonInTurns";
import { makePause } from "../../threads/makePause";
import { datasetsSeenBy, editableImage, visibleImage } from "../access/access";
import { requesterOf, withMeasuring } from "../measuring/measuring";
import { annotationDocument } from "./rows/annotationDocument";
import { type PageLimits, splitIntoPages } from "./rows/splitIntoPages";

export interface Found {
  row: AnnotationRow;
  image: ImageRow;
  category: CategoryRow;
}

/** Returns an annotation, deleted or not, with its image and category. Throws 404 if the user cannot see the image. */
export async function findAnnotation(db: Kysely<Schema>, user: CurrentUser, id: number): Promise<Found> {
  const row = await db
    .selectFrom("annotations")
    .selectAll()
    .where("id", "=", id)
    .where(isVisibleAnnotation())
    .executeTakeFirst();
  if (!row) throw notFound(ABSENT);
  const { image } = await visibleImage(db, user, row.image_id).catch(absentAs(ABSENT));
  const category = await db
    .selectFrom("categories")
    .selectAll()
    .where("id", "=", row.category_id)
    .executeTakeFirstOrThrow();
  return { row, image, category };
}

const ABSENT = "Invalid annotation id";

/**
 * Locks the image's row, then returns the annotation, which cannot change until the transaction ends. Throws 404 if the
 * user cannot see the image, and 403 if the user may not change it.
 */
export async function lockAnnotation(trx: Kysely<Schema>, user: CurrentUser, id: number): Promise<Found> {
  const named = await trx
    .selectFrom("annotations")
    .select("image_id")
    .where("id", "=", id)
    .where(isVisibleAnnotation())
    .executeTakeFirst();
  if (!named) throw notFound(ABSENT);
  await editableImage(trx, user, named.image_id).catch(absentAs(ABSENT));
  await sql`select from images where id = ${named.image_id} for update`.execute(trx);
  return findAnnotation(trx, user, id);
}

/** Returns a row that the transaction has just stored with this shape, which may be long and is not read again. */
export async function readStored(trx: Kysely<Schema>, uuid: string, shape: Shape): Promise<AnnotationRow> {
  const row = await trx
    .selectFrom("annotations")
    .select(SHORT_COLUMNS)
    .where("uuid", "=", uuid)
    .executeTakeFirstOrThrow();
  return { ...row, shape };
}

/** Returns the document of a found annotation. Throws NeedsMeasuring for a long mask that has not been traced yet. */
export const documentOf = ({ row, image, category }: Found): AnnotationDocument =>
  annotationDocument(row, image, category.keypoints);

/** Limits of one read; the bytes are those of the stored shapes. */
const READ_LIMITS: PageLimits = { pageRows: 1_000, pageBytes: 1_000_000 };

/**
 * Streams one page of the annotations in all images that the user can see, deleted ones included, as a JSON list in
 * order of id. Rows are read only as fast as the list is consumed.
 */
export async function annotationPage(
  db: Kysely<Schema>,
  user: CurrentUser,
  { page, limit }: { page: number; limit: number },
): Promise<AsyncGenerator<string>> {
  const listed = await db
    .selectFrom("annotations")
    .innerJoin("images", "images.id", "annotations.image_id")
    .select(["annotations.id", sql<number>`coalesce(pg_column_size(annotations.shape), 0)`.as("bytes")])
    .where(isVisibleAnnotation())
    .where(isLiveImage())
    .where("images.dataset_id", "in", datasetsSeenBy(db, user).select("datasets.id"))
    .orderBy("annotations.id")
    .offset((page - 1) * limit)
    .limit(limit)
    .execute();
  return listPieces(documentsOf(db, user, listed));
}

async function* listPieces(documents: AsyncIterable<unknown>): AsyncGenerator<string> {
  const pause = makePause();
  let text = "[";
  let isFirst = true;
  for await (const document of documents) {
    if (!isFirst) text += ",";
    isFirst = false;
    for (const piece of jsonPieces(document)) {
      text += piece;
      if (text.length > PIECE_CHARACTERS) {
        yield text;
        text = "";
      }
      await pause();
    }
  }
  yield `${text}]`;
}

const PIECE_CHARACTERS = 50_000;

/**
 * Yields the documents, reading a few annotations at a time. Skips annotations that were permanently deleted in the
 * meantime.
 */
async function* documentsOf(
  db: Kysely<Schema>,
  user: CurrentUser,
  listed: readonly { id: number; bytes: number }[],
): AsyncGenerator<AnnotationDocument> {
  for (const ids of splitIntoPages(listed, READ_LIMITS)) {
    const rows = await db
      .selectFrom("annotations")
      .innerJoin("images", "images.id", "annotations.image_id")
      .innerJoin("categories", "categories.id", "annotations.category_id")
      .selectAll("annotations")
      .select(["images.dataset_id", "images.width", "images.height", "categories.keypoints as definition"])
      .where("annotations.id", "=", sql<number>`any(${ids}::int[])`)
      .orderBy("annotations.id")
      .execute();
    for (const { dataset_id, width, height, definition, ...row } of rows) {
      const document = () => annotationDocument(row, { dataset_id, width, height }, definition);
      yield await withMeasuring(requesterOf(user), document);
    }
  }
}
