import { type Kysely, type RawBuilder, sql } from "kysely";
import type { ImageFilter } from "../../../shared/api/dataset";
import { plannedOnce } from "../../db/plannedOnce";
import type { ImageRow, Schema } from "../../db/schema";
import { folderPath } from "../../files/paths/safePath";
import { totalsOf } from "./imageTotals";
import { keptBriefly } from "./keptBriefly";

/**
 * A dataset's images as lists show them: filtered, in order, page by page, and one after another. Orders are by code
 * unit (the columns' collation is "C"), with the id behind it, so that both databases agree and no two images are equal.
 * Written as SQL, as it is asked with every page: to put these queries together takes longer than most of them run.
 */
const SUMMARY = sql.raw("id, file_name, path, width, height, annotated, num_annotations, done");
export type SummaryRow = Pick<
  ImageRow,
  "id" | "file_name" | "path" | "width" | "height" | "annotated" | "num_annotations" | "done"
>;

type Filter = Omit<ImageFilter, "order">;

/**
 * The condition that an image passes the filter. Unknown folders and categories are no errors: nothing passes. `isLeaf`:
 * the folder has no sub-folders, so that its images lie in one stretch of an index, in order.
 */
export function passesFilter(datasetId: number, filter: Filter, isLeaf = false): RawBuilder<boolean> {
  const folder = folderPath(filter.folder);
  const { annotated, done, category_ids__in: categories = [], file_name__icontains: contains = "" } = filter;
  const ids = sql`${categories}::integer[]`;
  const conditions = [sql`images.dataset_id = ${datasetId} and images.deleted_at is null`];
  if (folder !== "" && isLeaf) conditions.push(sql`images.folder = ${folder}`);
  else if (folder !== "") conditions.push(sql`images.folder >= ${folder} and images.folder < ${behind(folder)}`);
  if (contains !== "") conditions.push(sql`images.file_name ${likeOf(contains)} ${`%${escapeLike(contains)}%`}`);
  if (annotated === "none") conditions.push(sql`false`);
  else if (annotated !== undefined) conditions.push(sql`images.annotated = ${annotated}`);
  if (done !== undefined) conditions.push(sql`images.done = ${done}`);
  if (categories.length > 0) conditions.push(hasOneOf(ids, filter.strict_categories === true));
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

function hasOneOf(ids: RawBuilder<unknown>, isStrict: boolean): RawBuilder<boolean> {
  const orBare = isStrict ? sql`` : sql`or not images.annotated`;
  return sql<boolean>`(images.categories && ${ids} or images.labels && ${ids} ${orBare})`;
}

/** The first text behind all that begin with this folder: "/" is followed by "0". */
const behind = (folder: string) => `${folder.slice(0, -1)}0`;

/**
 * The columns' collation "C" knows the case of ASCII letters alone and is three times as fast; text without letters is
 * found as it is.
 */
function likeOf(text: string): RawBuilder<unknown> {
  if (text.toLowerCase() === text.toUpperCase()) return sql`like`;
  return isAscii(text) ? sql`ilike` : sql`collate "default" ilike`;
}

const isAscii = (text: string) => Buffer.byteLength(text) === text.length;

/** `%`, `_` and `\` stand for themselves. */
const escapeLike = (text: string) => text.replace(/[\\%_]/g, "\\$&");

export interface ImagePage {
  total: number;
  rows: SummaryRow[];
}

interface Part {
  offset: number;
  limit: number;
}

/** Rows `offset` to `offset + limit` of the list, and how many there are. */
export async function imagePage(
  db: Kysely<Schema>,
  datasetId: number,
  { order, ...filter }: ImageFilter,
  { offset, limit }: Part,
): Promise<ImagePage> {
  const isLeaf = filter.folder !== "" && (await subfolders(db, datasetId, filter.folder)).length === 0;
  const isIn = passesFilter(datasetId, filter, isLeaf);
  const there = orderOf(order);
  if (offset === 0) {
    const rows = await pageRows(db, isIn, there, { offset, limit });
    return { rows, total: rows.length < limit ? rows.length : await countImages(db, datasetId, filter) };
  }
  const total = await countImages(db, datasetId, filter);
  const fromEnd = Math.max(0, total - offset - limit);
  if (offset <= fromEnd) return { rows: await pageRows(db, isIn, there, { offset, limit }), total };
  // The nearer end is the quicker one.
  const size = Math.max(0, Math.min(limit, total - offset));
  const rows = size > 0 ? await pageRows(db, isIn, turn(there), { offset: fromEnd, limit: size }) : [];
  return { rows: rows.reverse(), total };
}

/**
 * Returns the number of images that pass the filter. Kept by the database for the whole dataset and its annotated images; else counted,
 * and then some seconds old where it is large: see keptBriefly.
 */
export async function countImages(db: Kysely<Schema>, datasetId: number, filter: Filter): Promise<number> {
  if (filter.annotated === "none") return 0;
  if (isWhole(filter)) {
    const { images, annotated } = await totalsOf(db, datasetId);
    if (filter.annotated === undefined) return images;
    return filter.annotated ? annotated : images - annotated;
  }
  return keptBriefly(db, datasetId, `number ${JSON.stringify(filter)}`, async () => {
    const isIn = passesFilter(datasetId, filter);
    const { rows } = await sql<{ total: number }>`select count(*) as total from images where ${isIn}`.execute(db);
    return rows[0]?.total ?? 0;
  });
}

/** All images of the dataset, or all annotated ones, or all others. */
const isWhole = ({ folder, file_name__icontains: contains = "", category_ids__in: categories = [], done }: Filter) =>
  folderPath(folder) === "" && contains === "" && categories.length === 0 && done === undefined;

type OrderColumn = "file_name" | "path" | "id";

interface Order {
  column: OrderColumn;
  descending: boolean;
}

function orderOf(order: ImageFilter["order"]): Order {
  return { column: order.replace(/^-/, "") as OrderColumn, descending: order.startsWith("-") };
}

const turn = ({ column, descending }: Order): Order => ({ column, descending: !descending });

function orderBy({ column, descending }: Order): RawBuilder<unknown> {
  const direction = sql.raw(descending ? "desc" : "asc");
  if (column === "id") return sql`order by images.id ${direction}`;
  return sql`order by ${sql.ref(`images.${column}`)} ${direction}, images.id ${direction}`;
}

/**
 * First the ids, from an index alone, then the rows: what lies before the page is not read. As an array: the database
 * would else weigh joins, which takes longer than reading the rows.
 */
async function pageRows(
  db: Kysely<Schema>,
  isIn: RawBuilder<boolean>,
  order: Order,
  { offset, limit }: Part,
): Promise<SummaryRow[]> {
  const { rows } = await sql<SummaryRow>`
    select ${SUMMARY} from images where id = any(array(
      select images.id from images where ${isIn} ${orderBy(order)} offset ${offset} limit ${limit}
    )) ${orderBy(order)}`.execute(db);
  return rows;
}

export interface Neighbours {
  previous: number | null;
  next: number | null;
  next_not_annotated: number | null;
}

/**
 * The images before and after one in the list that the user came from, and the next one there that nobody has annotated,
 * by comparing with its own place: also when it does not pass the filter any more, and however long the list is. Null at
 * the ends. One statement: three would take longer to send than to run.
 */
export async function neighbours(
  db: Kysely<Schema>,
  image: Pick<ImageRow, "id" | "dataset_id" | "path" | "file_name">,
  { order, ...filter }: ImageFilter,
): Promise<Neighbours> {
  const there = orderOf(order);
  const within = (more: Filter) => passesFilter(image.dataset_id, more);
  const next = firstBehind(within(filter), there, image);
  const previous = firstBehind(within(filter), turn(there), image);
  const { rows } = await sql<Neighbours>`
    select ${previous} as previous, n.next, ${nextNotAnnotated()} as next_not_annotated
    from (select ${next} as next offset 0) n ${
      // One plan is the best for all values only where no filter's value decides which index is.
      isWhole(filter) ? plannedOnce : sql``
    }`.execute(db);
  return rows[0] ?? { previous: null, next: null, next_not_annotated: null };

  /** In a list of annotated images there is none, in a list of the others it is the next one. */
  function nextNotAnnotated(): RawBuilder<number | null> {
    if (filter.annotated === true) return sql`null::integer`;
    if (filter.annotated === false) return sql`n.next`;
    const first = firstBehind(within({ ...filter, annotated: false }), there, image);
    return sql`case when n.next is not null then ${first} end`;
  }
}

/** A subquery: the id of the first image behind one, in an order. */
function firstBehind(
  isIn: RawBuilder<boolean>,
  order: Order,
  image: Pick<ImageRow, "id" | "path" | "file_name">,
): RawBuilder<number | null> {
  const { column, descending } = order;
  const sign = sql.raw(descending ? "<" : ">");
  const isBehind =
    column === "id"
      ? sql`images.id ${sign} ${image.id}`
      : sql`(${sql.ref(`images.${column}`)}, images.id) ${sign} (${image[column]}, ${image.id}::integer)`;
  return sql`(select images.id from images where ${isIn} and ${isBehind} ${orderBy(order)} limit 1)`;
}

/** The direct sub-folders of a folder that have images in them, sorted: one step through the index for each. */
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
