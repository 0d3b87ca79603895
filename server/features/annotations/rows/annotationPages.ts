import { type Kysely, type RawBuilder, sql } from "kysely";
import { ORDER_KEY } from "../../../../shared/rules/stacking";
import { isShown } from "../../../db/rows/annotations";
import type { AnnotationRow, Schema } from "../../../db/schema";

/** An image with the approximate number of its annotations. */
export interface CountedImage {
  id: number;
  count: number;
}

export const PAGE_ROWS = 1000;

/** Columns of an annotation that COCO files contain. */
export type CocoRow = Pick<
  AnnotationRow,
  | "id"
  | "image_id"
  | "category_id"
  | "shape"
  | "area"
  | "bbox"
  | "iscrowd"
  | "isbbox"
  | "color"
  | "metadata"
  | "attributes"
  | "keypoints"
  | "extra"
  | "import_id"
>;

/** A CocoRow with its shape as JSON text. Most shapes are written as they are stored and need no parsing. */
export type CocoTextRow = Omit<CocoRow, "shape"> & { shape: string | null };

/**
 * Yields the shown annotations of images, image by image in the given order. Reads at most 1,000 rows per query, with
 * no cursor or transaction open between queries.
 */
export function annotationPages(db: Kysely<Schema>, images: readonly CountedImage[]): AsyncGenerator<CocoRow[]> {
  return pages<CocoRow>(images, (ids, after) => readPage(db, sql`a.shape`, ids, after));
}

/** Yields the shown annotations of images in the given categories, with shapes as text. */
export function annotationTextPages(
  db: Kysely<Schema>,
  images: readonly CountedImage[],
  categories: readonly number[],
): AsyncGenerator<CocoTextRow[]> {
  return pages<CocoTextRow>(images, (ids, after) => readPage(db, sql`a.shape::text`, ids, after, among(categories)));
}

const among = (categories: readonly number[]) => sql`and a.category_id = any(${categories}::int[])`;

/**
 * Position of a row in an export: sorted by image, then by layer, so that annotations in front come later, then by id.
 */
type Position = Pick<CocoRow, "id" | "image_id"> & { layer: number };

async function* pages<Row extends Pick<CocoRow, "id" | "image_id">>(
  images: readonly CountedImage[],
  read: (imageIds: readonly number[], after: Position | undefined) => Promise<(Row & Position)[]>,
): AsyncGenerator<Row[]> {
  for (const group of groupsOf(images)) {
    let last: Position | undefined;
    do {
      const rows = await read(group, last);
      if (rows.length > 0) yield rows;
      last = rows.length === PAGE_ROWS ? rows.at(-1) : undefined;
    } while (last);
  }
}

/** Yields groups of consecutive images with about one page of annotations in total, or a single image with more. */
export function* groupsOf(images: readonly CountedImage[], pageRows = () => PAGE_ROWS): Generator<number[]> {
  let group: number[] = [];
  let total = 0;
  for (const { id, count } of images) {
    if (group.length > 0 && (total + count > pageRows() || group.length === PAGE_ROWS)) {
      yield group;
      group = [];
      total = 0;
    }
    group.push(id);
    total += count;
  }
  if (group.length > 0) yield group;
}

/** An annotation's layer as `layerOf` (shared/rules/stacking.ts) reads it. */
const layer = sql`case when jsonb_typeof(a.attributes -> ${sql.lit(ORDER_KEY)}) = 'number'
  then (a.attributes ->> ${sql.lit(ORDER_KEY)})::float8 else 0 end`;

async function readPage<Row extends Position>(
  db: Kysely<Schema>,
  shape: RawBuilder<unknown>,
  imageIds: readonly number[],
  after: Position | undefined,
  condition = sql``,
): Promise<Row[]> {
  const afterLast = after
    ? sql`and (a.image_id, ${layer}, a.id) > (${after.image_id}, ${after.layer}, ${after.id})`
    : sql``;
  const { rows } = await sql<Row>`
    select a.id, a.image_id, a.category_id, ${shape} as shape, a.area, a.bbox, a.iscrowd, a.isbbox, a.color,
      a.metadata, a.attributes, a.keypoints, a.extra, a.import_id, ${layer} as layer
    from annotations a
    where a.image_id = any(${imageIds}::int[]) and ${isShown} ${condition} ${afterLast}
    order by a.image_id, layer, a.id limit ${PAGE_ROWS}`.execute(db);
  return rows;
}
