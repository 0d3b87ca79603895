import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import type { ImageFilter } from "../../shared/api/dataset";
import type { ImageRow, Schema } from "../db/schema";
import { folderPath } from "../files/safePath";
import { countOnce } from "./imageCount";

/**
 * A dataset's pictures as lists show them: filtered, in order, page by page, and one after another. Orders are by code
 * unit (the columns' collation is "C"), with the id behind it, so that both databases agree and no two pictures are equal.
 */
type Images = SelectQueryBuilder<Schema, "images", object>;
type OrderColumn = "file_name" | "path" | "id";

const SUMMARY = ["id", "file_name", "path", "width", "height", "annotated", "num_annotations"] as const;
export type SummaryRow = Pick<ImageRow, (typeof SUMMARY)[number]>;

/** All pictures that pass the filter. Unknown folders and categories are no errors: nothing passes. */
export function filteredImages(db: Kysely<Schema>, datasetId: number, filter: Omit<ImageFilter, "order">): Images {
  const folder = folderPath(filter.folder);
  const contains = filter.file_name__icontains;
  const { annotated, category_ids__in: categories } = filter;
  return db
    .selectFrom("images")
    .where("images.dataset_id", "=", datasetId)
    .where("images.deleted_at", "is", null)
    .$if(folder !== "", (query) =>
      query.where("images.folder", ">=", folder).where("images.folder", "<", behind(folder)),
    )
    .$if(!!contains, (query) =>
      query.where(sql<boolean>`images.file_name collate "default" ilike ${`%${escapeLike(contains ?? "")}%`}`),
    )
    .$if(annotated !== undefined, (query) => query.where("images.annotated", "=", annotated ?? false))
    .$if(!!categories?.length, (query) => query.where("images.id", "in", imagesOf(db, datasetId, categories ?? [])));
}

/** Pictures that have an annotation of one of the categories, or one of them ticked as a label. */
function imagesOf(db: Kysely<Schema>, datasetId: number, categories: number[]) {
  return db
    .selectFrom("annotations")
    .select("annotations.image_id as id")
    .where(sql<boolean>`annotations.category_id = any(${categories}::integer[])`)
    .where("annotations.deleted_at", "is", null)
    .where("annotations.visible", "=", true)
    .unionAll(
      db
        .selectFrom("images as labelled")
        .select("labelled.id")
        .where("labelled.dataset_id", "=", datasetId)
        .where(sql<boolean>`labelled.labels && ${categories}::integer[]`),
    );
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
  filter: ImageFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ImagePage> {
  const { order, ...rest } = filter;
  const images = filteredImages(db, datasetId, rest);
  if (offset === 0) {
    const rows = await pageRows(images, orderOf(order), { offset, limit });
    return { rows, total: rows.length < limit ? rows.length : await countImages(db, datasetId, rest) };
  }
  const total = await countImages(db, datasetId, rest);
  const fromEnd = total - offset - limit;
  if (fromEnd < 0 || fromEnd >= offset)
    return { rows: await pageRows(images, orderOf(order), { offset, limit }), total };
  const turned = await pageRows(images, turn(orderOf(order)), { offset: fromEnd, limit });
  return { rows: turned.reverse(), total };
}

/** The number may be some seconds old where it is large: see countOnce. */
export function countImages(
  db: Kysely<Schema>,
  datasetId: number,
  filter: Omit<ImageFilter, "order">,
): Promise<number> {
  return countOnce(db, datasetId, JSON.stringify(filter), async () => {
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

function ordered(images: Images, { column, descending }: Order): Images {
  const direction = descending ? "desc" : "asc";
  return images
    .$if(column !== "id", (query) => query.orderBy(`images.${column}`, direction))
    .orderBy("images.id", direction);
}

function pageRows(images: Images, order: Order, { offset, limit }: { offset: number; limit: number }) {
  return ordered(images, order)
    .select(SUMMARY.map((column) => `images.${column}` as const))
    .offset(offset)
    .limit(limit)
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
  const images = filteredImages(db, image.dataset_id, filter);
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
export async function subfolders(db: Kysely<Schema>, datasetId: number, within: string): Promise<string[]> {
  const folder = folderPath(within);
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
