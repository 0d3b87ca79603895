import { type Kysely, type RawBuilder, sql } from "kysely";
import type { ImageFilter, ListedStage } from "../../../shared/api/datasets/datasetImages";
import { folderPath } from "../../../shared/rules/folders";
import { compareNaturally } from "../../../shared/text/fold";
import { preparedStatement } from "../../db/preparedStatements";
import { likePattern } from "../../db/rows/containsText";
import { isLiveImage, nameKeyOf, pathKeyOf } from "../../db/rows/images";
import type { ImageRow, Schema } from "../../db/schema";
import { totalsOf } from "./imageTotals";
import { staleWhileRevalidate } from "./staleWhileRevalidate";

/**
 * Lists of a dataset's images: filtered, sorted, page by page, and with next and previous. Names and paths are sorted
 * in natural order by the keys that the database makes of them (shared/text/fold.ts) and then by id, so that no two
 * images tie. Written as SQL, since it runs for every page: building these queries with Kysely takes longer than
 * running most of them.
 */
const SUMMARY = sql.raw(`id, file_name, path, width, height, annotated, num_annotations, done, stage, open_threads,
  case when assignee_id is not null then (select username from users where users.id = assignee_id) end as assignee`);
type SummaryRow = Pick<
  ImageRow,
  "id" | "file_name" | "path" | "width" | "height" | "annotated" | "num_annotations" | "done" | "stage" | "open_threads"
> & { assignee: string | null };

type Filter = Omit<ImageFilter, "order">;

/**
 * Returns the SQL condition for images that pass the filter. Unknown folders and categories are not errors: no image
 * passes. `isLeaf`: the folder has no subfolders, so its images are one contiguous, sorted range of an index.
 */
export function passesFilter(datasetId: number, filter: Filter, isLeaf = false): RawBuilder<boolean> {
  const folder = folderPath(filter.folder);
  const { annotated, done, category_ids__in: categories = [], file_name__icontains: contains = "" } = filter;
  const ids = sql`${categories}::integer[]`;
  const conditions = [sql`images.dataset_id = ${datasetId} and ${isLiveImage()}`];
  if (folder !== "" && isLeaf) conditions.push(sql`images.folder = ${folder}`);
  else if (folder !== "") conditions.push(sql`images.folder >= ${folder} and images.folder < ${endOf(folder)}`);
  if (contains !== "") conditions.push(sql`images.search_name like ${likePattern(contains)}`);
  if (annotated === "none") conditions.push(sql`false`);
  else if (annotated !== undefined) conditions.push(sql`images.annotated = ${annotated}`);
  if (done === "none") conditions.push(sql`false`);
  else if (done !== undefined) conditions.push(sql`images.done = ${done}`);
  if (filter.assignee !== undefined)
    conditions.push(sql`images.assignee_id = (select id from users where username = ${filter.assignee})`);
  if (filter.assigned !== undefined)
    conditions.push(filter.assigned ? sql`images.assignee_id is not null` : sql`images.assignee_id is null`);
  if (filter.stage?.length) conditions.push(isInStage(filter.stage));
  if (filter.comments === "open") conditions.push(sql`images.open_threads > 0`);
  if (categories.length > 0) conditions.push(hasOneOf(ids, filter.strict_categories === true));
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

function isInStage(listed: readonly ListedStage[]): RawBuilder<boolean> {
  const stages = listed.filter((name) => name !== "new" && name !== "annotating");
  const kinds = listed.filter((name) => name === "new" || name === "annotating");
  const parts: RawBuilder<unknown>[] = [];
  // The index of stages leaves out open images, so a condition that excludes them names each stage.
  if (stages.length > 0) parts.push(sql`images.stage in (${sql.raw(stages.map((name) => `'${name}'`).join(", "))})`);
  for (const kind of kinds) parts.push(sql`(images.stage = 'open' and images.annotated = ${kind === "annotating"})`);
  return sql<boolean>`(${sql.join(parts, sql` or `)})`;
}

function hasOneOf(ids: RawBuilder<unknown>, isStrict: boolean): RawBuilder<boolean> {
  const orUnannotated = isStrict ? sql`` : sql`or not images.annotated`;
  return sql<boolean>`(images.categories && ${ids} or images.labels && ${ids} ${orUnannotated})`;
}

/** Returns the first text that sorts after all paths in this folder: "0" is the character after "/". */
const endOf = (folder: string) => `${folder.slice(0, -1)}0`;

export interface ImagePage {
  total: number;
  rows: SummaryRow[];
}

interface Part {
  offset: number;
  limit: number;
}

/** Returns the rows of the list from `offset` to `offset + limit`, and the total number of rows. */
export async function imagePage(
  db: Kysely<Schema>,
  datasetId: number,
  { order, ...filter }: ImageFilter,
  { offset, limit }: Part,
): Promise<ImagePage> {
  const isLeaf = filter.folder !== "" && (await subfolders(db, datasetId, filter.folder)).length === 0;
  const condition = passesFilter(datasetId, filter, isLeaf);
  const sortOrder = orderOf(order);
  if (offset === 0) {
    const rows = await pageRows(db, condition, sortOrder, { offset, limit });
    return { rows, total: rows.length < limit ? rows.length : await countImages(db, datasetId, filter) };
  }
  const total = await countImages(db, datasetId, filter);
  const fromEnd = Math.max(0, total - offset - limit);
  if (offset <= fromEnd) return { rows: await pageRows(db, condition, sortOrder, { offset, limit }), total };
  // Reading from the nearer end is faster.
  const size = Math.max(0, Math.min(limit, total - offset));
  const rows = size > 0 ? await pageRows(db, condition, reverse(sortOrder), { offset: fromEnd, limit: size }) : [];
  return { rows: rows.reverse(), total };
}

/**
 * Returns the number of images that pass the filter. Triggers maintain the numbers of all images and of annotated ones.
 * Other numbers are counted, and large numbers may be some seconds old: see staleWhileRevalidate.
 */
export async function countImages(db: Kysely<Schema>, datasetId: number, filter: Filter): Promise<number> {
  if (filter.annotated === "none" || filter.done === "none") return 0;
  if (isWhole(filter)) {
    const { images, annotated } = await totalsOf(db, datasetId);
    if (filter.annotated === undefined) return images;
    return filter.annotated ? annotated : images - annotated;
  }
  return staleWhileRevalidate(db, datasetId, `number ${JSON.stringify(filter)}`, async () => {
    const condition = passesFilter(datasetId, filter);
    const { rows } = await sql<{ total: number }>`select count(*) as total from images where ${condition}`.execute(db);
    return rows[0]?.total ?? 0;
  });
}

/** True for a filter that selects all images of the dataset, all annotated ones, or all unannotated ones. */
const isWhole = ({ folder, file_name__icontains: contains = "", category_ids__in: categories = [], ...rest }: Filter) =>
  folderPath(folder) === "" &&
  contains === "" &&
  categories.length === 0 &&
  rest.done === undefined &&
  !rest.stage?.length &&
  rest.assignee === undefined &&
  rest.assigned === undefined &&
  rest.comments === undefined;

/** Columns by which lists are sorted, by the order's name. */
const COLUMNS = { file_name: "name_key", path: "path_key", id: "id" } as const;

export interface Order {
  column: (typeof COLUMNS)[keyof typeof COLUMNS];
  descending: boolean;
}

export function orderOf(order: ImageFilter["order"]): Order {
  return { column: COLUMNS[order.replace(/^-/, "") as keyof typeof COLUMNS], descending: order.startsWith("-") };
}

export const reverse = ({ column, descending }: Order): Order => ({ column, descending: !descending });

function orderBy({ column, descending }: Order): RawBuilder<unknown> {
  const direction = sql.raw(descending ? "desc" : "asc");
  if (column === "id") return sql`order by images.id ${direction}`;
  return sql`order by ${sql.ref(`images.${column}`)} ${direction}, images.id ${direction}`;
}

/**
 * Reads a page: first the ids, from an index only, then their rows, so that rows before the page are not read. The ids
 * are an array because planning a join would take longer than reading the rows.
 */
async function pageRows(
  db: Kysely<Schema>,
  condition: RawBuilder<boolean>,
  order: Order,
  { offset, limit }: Part,
): Promise<SummaryRow[]> {
  const { rows } = await sql<SummaryRow>`
    select ${SUMMARY} from images where id = any(array(
      select images.id from images where ${condition} ${orderBy(order)} offset ${offset} limit ${limit}
    )) ${orderBy(order)}`.execute(db);
  return rows;
}

export interface Neighbours {
  previous: number | null;
  next: number | null;
  next_not_annotated: number | null;
}

/**
 * Returns the images before and after `image` in the list that the user came from, and the next unannotated one; null
 * at the ends. Compares sort keys, so it also works if `image` no longer passes the filter, and in lists of any length.
 * It is one statement, since three would take longer to send than to run.
 */
export async function neighbours(
  db: Kysely<Schema>,
  image: Pick<ImageRow, "id" | "dataset_id" | "path" | "file_name">,
  { order, ...filter }: ImageFilter,
): Promise<Neighbours> {
  const sortOrder = orderOf(order);
  const within = (more: Filter) => passesFilter(image.dataset_id, more);
  const next = firstAfter(within(filter), sortOrder, image);
  const previous = firstAfter(within(filter), reverse(sortOrder), image);
  const { rows } = await sql<Neighbours>`
    select ${previous} as previous, n.next, ${nextNotAnnotated()} as next_not_annotated
    from (select ${next} as next offset 0) n ${
      // One plan suits all values only if no filter value decides which index is best.
      isWhole(filter) ? preparedStatement : sql``
    }`.execute(db);
  return rows[0] ?? { previous: null, next: null, next_not_annotated: null };

  /**
   * Returns SQL for the next unannotated image: null in a list of annotated ones, `n.next` in one of unannotated ones.
   */
  function nextNotAnnotated(): RawBuilder<number | null> {
    if (filter.annotated === true) return sql`null::integer`;
    if (filter.annotated === false) return sql`n.next`;
    const first = firstAfter(within({ ...filter, annotated: false }), sortOrder, image);
    return sql`case when n.next is not null then ${first} end`;
  }
}

const keyOf = ({ file_name, path }: Pick<ImageRow, "path" | "file_name">) => ({
  name_key: nameKeyOf(file_name),
  path_key: pathKeyOf(path),
});

/** Returns the SQL condition for images that come after `image` in an order. */
export function isBeyond(
  { column, descending }: Order,
  image: Pick<ImageRow, "id" | "path" | "file_name">,
): RawBuilder<boolean> {
  const sign = sql.raw(descending ? "<" : ">");
  return column === "id"
    ? sql`images.id ${sign} ${image.id}`
    : sql`(${sql.ref(`images.${column}`)}, images.id) ${sign} (${keyOf(image)[column]}, ${image.id}::integer)`;
}

/** Returns a subquery for the id of the first image after `image` in an order. */
function firstAfter(
  condition: RawBuilder<boolean>,
  order: Order,
  image: Pick<ImageRow, "id" | "path" | "file_name">,
): RawBuilder<number | null> {
  return sql`(select images.id from images where ${condition} and ${isBeyond(order, image)} ${orderBy(order)} limit 1)`;
}

/** Returns the direct subfolders of a folder that contain images, in natural order, with one index lookup for each. */
export function subfolders(db: Kysely<Schema>, datasetId: number, within: string): Promise<string[]> {
  const folder = folderPath(within);
  return staleWhileRevalidate(db, datasetId, `folders ${folder}`, () => findSubfolders(db, datasetId, folder));
}

async function findSubfolders(db: Kysely<Schema>, datasetId: number, folder: string): Promise<string[]> {
  const next = (from: ReturnType<typeof sql>) => sql`
    select split_part(substr(folder, length(${folder}::text) + 1), '/', 1) as name
    from images
    where dataset_id = ${datasetId} and ${isLiveImage()} and folder > ${from}
      and (${folder}::text = '' or folder < ${folder === "" ? "" : endOf(folder)})
    order by folder limit 1`;
  const { rows } = await sql<{ name: string }>`
    with recursive names as (
      (${next(sql`${folder}`)})
      union all
      select step.name from names cross join lateral (${next(sql`${folder} || names.name || '0'`)}) as step
    ) select name from names`.execute(db);
  return rows.map(({ name }) => name).sort(compareNaturally);
}
