import { sql, type Transaction } from "kysely";
import type { BodyOf } from "../../../shared/api/call";
import type { copyAnnotations as call } from "../../../shared/api/image";
import { scaleBetween } from "../../../shared/geometry/scale";
import { BEYOND_KEY } from "../../../shared/rules/keypointTriples";
import type { AnnotationRow, ImageRow, Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { badRequest, type HttpError } from "../../errors";
import type { Person } from "../../permissions";
import type { Services } from "../../services";
import { categoriesSeenBy, visibleImage } from "../access";
import { isShown } from "./isShown";
import { recountImages } from "./recountImages";
import { type ScaledRow, scaledRow } from "./scaledRow";

interface Wanted extends BodyOf<typeof call> {
  fromId: number;
  toId: number;
}

/** Rows of one statement. */
const PAGE_ROWS = 1000;

/**
 * Copies the annotations of one picture that have a shape or keypoints into another one, in one transaction: all of
 * them or none. Categories that the other dataset lacks are added to it; those that the person may not use are left out.
 * A mass write: the picture's revision rises once. Answers how many were made. Throws 404 for pictures that the person
 * does not see, 400 for a picture copied into itself, and for pictures of different sizes unless `scale` is wanted.
 */
export async function copyAnnotations(
  { db, live }: Pick<Services, "db" | "live">,
  person: Person,
  { fromId, toId, category_ids: wanted, scale }: Wanted,
): Promise<number> {
  const { made, image } = await transaction(db, async (trx) => {
    const { image: from } = await visibleImage(trx, person, fromId);
    await visibleImage(trx, person, toId);
    await sql`select from images where id = ${toId} for update`.execute(trx);
    // As it is under the lock, should somebody have deleted it meanwhile.
    const { image: to, dataset } = await visibleImage(trx, person, toId);
    if (from.id === to.id) throw badRequest("Cannot copy self");
    const isSame = from.width === to.width && from.height === to.height;
    if (!isSame && !scale) throw differentSizes(from, to);
    const categories = await usableCategories(trx, person, from.id, wanted ?? null);
    const made = await (isSame ? copyAsTheyAre : copyScaled)(trx, person, { from, to, categories });
    const used = [...new Set(made.map((row) => row.category_id))];
    await listCategories(trx, dataset.id, used);
    return { made, image: await raiseRevision(trx, to, made.length) };
  });
  const [first] = made;
  if (first)
    live.tellImage({
      action: "create",
      annotation: { id: first.id, image_id: toId, category_id: first.category_id, uuid: first.uuid },
      category_id: first.category_id,
      uuid: null,
      image_id: toId,
      image_revision: image.revision,
    });
  return made.length;
}

const differentSizes = (from: ImageRow, to: ImageRow): HttpError =>
  badRequest(
    `Image sizes do not match: ${from.width} x ${from.height} and ${to.width} x ${to.height}. ` +
      `With "scale": true the annotations are scaled.`,
  );

/** Ids of those of the picture's categories that are wanted and that the person may use. */
async function usableCategories(
  trx: Transaction<Schema>,
  person: Person,
  imageId: number,
  wanted: readonly number[] | null,
): Promise<number[]> {
  const rows = await categoriesSeenBy(trx, person)
    .select("categories.id")
    .where("categories.id", "in", (eb) =>
      eb.selectFrom("annotations").select("category_id").where("image_id", "=", imageId),
    )
    .execute();
  return rows.map((row) => row.id).filter((id) => !wanted || wanted.includes(id));
}

type Made = Pick<AnnotationRow, "id" | "uuid" | "category_id">;

interface Way {
  from: ImageRow;
  to: ImageRow;
  /** Of the annotations that are copied. */
  categories: readonly number[];
}

/**
 * Into a picture of the same size annotations go as they are, in whatever form they came: within the database, which is
 * four times faster than by way of the server. Keys of a file that Limn does not know belong to the annotation that they
 * came with, except keypoints for which the category has no label.
 */
async function copyAsTheyAre(trx: Transaction<Schema>, person: Person, { from, to, categories }: Way): Promise<Made[]> {
  const { rows } = await sql<Made>`
    insert into annotations (image_id, category_id, shape, area, bbox, iscrowd, isbbox, color, metadata, keypoints, extra,
      creator_id, creator_name)
    select ${to.id}::int, category_id, shape, area, bbox, iscrowd, isbbox, color, metadata, keypoints,
      case when extra ? ${BEYOND_KEY} then jsonb_build_object(${BEYOND_KEY}::text, extra -> ${BEYOND_KEY}) end,
      ${person.id}::int, ${person.username}::text
    from annotations a
    where a.image_id = ${from.id} and a.category_id = any(${categories}::int[]) and ${isShown}
    order by a.id
    returning id, uuid, category_id`.execute(trx);
  return rows;
}

async function copyScaled(trx: Transaction<Schema>, person: Person, { from, to, categories }: Way): Promise<Made[]> {
  const made: Made[] = [];
  const scale = scaleBetween(from, to);
  for (let last = 0; ; ) {
    const rows = await pageOf(trx, from.id, categories, last);
    const copies = rows.map((row) => scaledRow(row, to, scale));
    made.push(...(await insertRows(trx, person, to.id, copies)));
    if (rows.length < PAGE_ROWS) return made;
    last = rows.at(-1)?.id ?? last;
  }
}

async function pageOf(trx: Transaction<Schema>, imageId: number, categories: readonly number[], after: number) {
  const { rows } = await sql<AnnotationRow>`
    select a.* from annotations a
    where a.image_id = ${imageId} and a.id > ${after} and a.category_id = any(${categories}::int[]) and ${isShown}
    order by a.id limit ${PAGE_ROWS}`.execute(trx);
  return rows;
}

async function insertRows(
  trx: Transaction<Schema>,
  { id, username }: Person,
  imageId: number,
  rows: readonly ScaledRow[],
): Promise<Made[]> {
  if (rows.length === 0) return [];
  const { rows: made } = await sql<Made>`
    insert into annotations (image_id, category_id, shape, area, bbox, iscrowd, isbbox, color, metadata, keypoints, extra,
      creator_id, creator_name)
    select ${imageId}::int, category_id, shape, area, bbox, iscrowd, isbbox, color, metadata, keypoints, extra,
      ${id}::int, ${username}::text
    from json_to_recordset(${JSON.stringify(rows)}::json) as x(category_id int, shape jsonb, area double precision,
      bbox jsonb, iscrowd boolean, isbbox boolean, color text, metadata jsonb, keypoints jsonb, extra jsonb)
    returning id, uuid, category_id`.execute(trx);
  return made;
}

async function listCategories(trx: Transaction<Schema>, datasetId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .insertInto("dataset_categories")
    .values(ids.map((category_id) => ({ dataset_id: datasetId, category_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whoever has the picture open loads it again: a mass write has no history of its own. */
async function raiseRevision(trx: Transaction<Schema>, image: ImageRow, made: number): Promise<{ revision: number }> {
  if (made === 0) return image;
  await recountImages(trx, [image.id]);
  return trx
    .updateTable("images")
    .set({ revision: sql`revision + 1`, reload_revision: sql`revision + 1` })
    .where("id", "=", image.id)
    .returning("revision")
    .executeTakeFirstOrThrow();
}
