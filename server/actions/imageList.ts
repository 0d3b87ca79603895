import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import type { ImageFilter } from "../../shared/api/dataset";
import type { ImageRow, Schema } from "../db/schema";
import { folderPath } from "../files/safePath";
import { keptBriefly } from "./keptBriefly";

/**
 * A dataset's pictures as lists show them: filtered, in order, page by page, and one after another. Orders are by code
 * unit (the columns' collation is "C"), with the id behind it, so that both databases agree and no two pictures are equal.
 */
type Images = SelectQueryBuilder<Schema, "images", object>;
type OrderColumn = "file_name" | "path" | "id";

const SUMMARY = ["id", "file_name", "path", "width", "height", "annotated", "num_annotations"] as const;
export type SummaryRow = Pick<ImageRow, (typeof SUMMARY)[number]>;

/**
 * How pictures of categories are found, since the database guesses badly. "set": first all pictures of the categories,
 * then their order; good for few and for counting. "walk": along the order, looking at each picture; good when many pass.
 */
type Way = "set" | "walk";
/** More annotations than this are many. */
const FEW_ANNOTATIONS = 4_000;

type Filter = Omit<ImageFilter, "order">;

/** All pictures that pass the filter. Unknown folders and categories are no errors: nothing passes. */
export function filteredImages(db: Kysely<Schema>, datasetId: number, filter: Filter, way: Way = "set"): Images {
  const folder = folderPath(filter.folder);
  const { annotated, category_ids__in: categories = [], file_name__icontains: contains = "" } = filter;
  return db
    .selectFrom("images")
    .where("images.dataset_id", "=", datasetId)
    .where("images.deleted_at", "is", null)
    .$if(folder !== "", (query) =>
      query.where("images.folder", ">=", folder).where("images.folder", "<", behind(folder)),
    )
    .$if(contains !== "", (query) =>
      query.where(sql<boolean>`images.file_name collate "default" ilike ${`%${escapeLike(contains)}%`}`),
    )
    .$if(annotated !== undefined, (query) => query.where("images.annotated", "=", annotated ?? false))
    .$if(categories.length > 0, (query) => query.where(isOfCategories(datasetId, categories, way)));
}

/** Whether a picture has an annotation of one of the categories, or one of them ticked as a label. */
function isOfCategories(datasetId: number, categories: number[], way: Way) {
  const ids = sql`${categories}::integer[]`;
  const isLive = sql`category_id = any(${ids}) and annotations.deleted_at is null and visible`;
  // "offset 0" keeps the database from turning the walk into a set.
  if (way === "walk")
    return sql<boolean>`(images.labels && ${ids} or exists (
      select from annotations where image_id = images.id and ${isLive} offset 0))`;
  return sql<boolean>`images.id in (
    select image_id from annotations where ${isLive}
    union all
    select id from images as labelled where labelled.dataset_id = ${datasetId} and labelled.labels && ${ids})`;
}

async function wayOf(db: Kysely<Schema>, { category_ids__in: categories = [] }: Filter): Promise<Way> {
  if (categories.length === 0) return "walk";
  const some = db
    .selectFrom("annotations")
    .select("id")
    .where(sql<boolean>`category_id = any(${categories}::integer[])`)
    .limit(FEW_ANNOTATIONS + 1);
  const { number } = await db
    .selectFrom(some.as("some"))
    .select((eb) => eb.fn.countAll<number>().as("number"))
    .executeTakeFirstOrThrow();
  return number > FEW_ANNOTATIONS ? "walk" : "set";
}

/** The first text behind all that begin with this folder: "/" is followed by "0". */
const behind = (folder: string) => `${folder.slice(0, -1)}0`;

/** `%`, `_` and `\` stand for themselves. */
const escapeLike = (text: string) => text.replace(/[\\%_]/g, "\\$&");

export interface ImagePage {
  total: number;
  rows: SummaryRow[];
}

/** Rows `offset` to `offset + limit` of the list, and how many there are. */
export async function imagePage(
  db: Kysely<Schema>,
  datasetId: number,
  { order, ...filter }: ImageFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ImagePage> {
  const images = filteredImages(db, datasetId, filter, await wayOf(db, filter));
  const there = orderOf(order);
  if (offset === 0) {
    const rows = await pageRows(db, images, there, { offset, limit });
    return { rows, total: rows.length < limit ? rows.length : await countImages(db, datasetId, filter) };
  }
  const total = await countImages(db, datasetId, filter);
  const fromEnd = Math.max(0, total - offset - limit);
  if (offset <= fromEnd) return { rows: await pageRows(db, images, there, { offset, limit }), total };
  // The nearer end is the quicker one.
  const size = Math.max(0, Math.min(limit, total - offset));
  const rows = size > 0 ? await pageRows(db, images, turn(there), { offset: fromEnd, limit: size }) : [];
  return { rows: rows.reverse(), total };
}

/** The number may be some seconds old where it is large: see keptBriefly. */
export function countImages(db: Kysely<Schema>, datasetId: number, filter: Filter): Promise<number> {
  return keptBriefly(db, datasetId, `number ${JSON.stringify(filter)}`, async () => {
    const images = filteredImages(db, datasetId, filter);
    const { total } = await images.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    return total;
  });
}

interface Order {
  column: OrderColumn;
  descending: boolean;
}

function orderOf(order: ImageFilter["order"]): Order {
  return { column: order.replace(/^-/, "") as OrderColumn, descending: order.startsWith("-") };
}

const turn = ({ column, descending }: Order): Order => ({ column, descending: !descending });

function ordered(images: Images, order: Order): Images {
  const { column, descending } = order;
  const direction = descending ? "desc" : "asc";
  return images
    .$if(column !== "id", (query) => query.orderBy(`images.${column}`, direction))
    .orderBy("images.id", direction);
}

/** First the ids, from an index alone, then the rows: what lies before the page is not read. */
function pageRows(
  db: Kysely<Schema>,
  images: Images,
  order: Order,
  { offset, limit }: { offset: number; limit: number },
): Promise<SummaryRow[]> {
  const ids = ordered(images, order).select("images.id").offset(offset).limit(limit);
  // As an array: the database would else weigh joins, which takes longer than reading the rows.
  const rows = db.selectFrom("images").where(sql<boolean>`images.id = any(array(${ids}))`);
  return ordered(rows, order)
    .select(SUMMARY.map((column) => `images.${column}` as const))
    .execute();
}

/**
 * The pictures before and after one in the list that the person came from, by comparing with its own place: also when it
 * does not pass the filter any more, and however long the list is. Null at the ends.
 */
export async function neighbours(
  db: Kysely<Schema>,
  image: Pick<ImageRow, "id" | "dataset_id" | "path" | "file_name">,
  { order, ...filter }: ImageFilter,
): Promise<{ previous: number | null; next: number | null }> {
  const images = filteredImages(db, image.dataset_id, filter, await wayOf(db, filter));
  const next = await firstBehind(images, orderOf(order), image);
  const previous = await firstBehind(images, turn(orderOf(order)), image);
  return { previous, next };
}

async function firstBehind(images: Images, order: Order, image: Pick<ImageRow, "id" | "path" | "file_name">) {
  const { column, descending } = order;
  const sign = sql.raw(descending ? "<" : ">");
  const isBehind =
    column === "id"
      ? sql<boolean>`images.id ${sign} ${image.id}`
      : sql<boolean>`(${sql.ref(`images.${column}`)}, images.id) ${sign} (${image[column]}, ${image.id}::integer)`;
  const row = await ordered(images, order).where(isBehind).select("images.id").limit(1).executeTakeFirst();
  return row?.id ?? null;
}

/** The direct sub-folders of a folder that have pictures in them, sorted: one step through the index for each. */
export function subfolders(db: Kysely<Schema>, datasetId: number, within: string): Promise<string[]> {
  const folder = folderPath(within);
  return keptBriefly(db, datasetId, `folders ${folder}`, () => findSubfolders(db, datasetId, folder));
}

async function findSubfolders(db: Kysely<Schema>, datasetId: number, folder: string): Promise<string[]> {
  const next = (from: ReturnType<typeof sql>) => sql`
    select split_part(substr(folder, length(${folder}::text) + 1), '/', 1) as name
    from images
    where dataset_id = ${datasetId} and deleted_at is null and folder > ${from}
      and (${folder}::text = '' or folder < ${folder === "" ? "" : behind(folder)})
    order by folder limit 1`;
  const { rows } = await sql<{ name: string }>`
    with recursive names as (
      (${next(sql`${folder}`)})
      union all
      select step.name from names cross join lateral (${next(sql`${folder} || names.name || '0'`)}) as step
    ) select name from names`.execute(db);
  return rows.map(({ name }) => name);
}
