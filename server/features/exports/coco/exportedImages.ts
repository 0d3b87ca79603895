import { type Kysely, sql } from "kysely";
import type { ImageRow, Schema } from "../../../db/schema";
import { type CountedImage, PAGE_ROWS } from "../../annotations/rows/annotationPages";
import { isShown } from "../../annotations/rows/isShown";
import type { CocoImageRow } from "./cocoItems";

/** An image as exports read it; `count` is that of its annotations of the wanted categories. */
export type ExportedImage = CocoImageRow & Pick<ImageRow, "folder" | "hash"> & CountedImage;

export interface ImageFilter {
  /** Ids of other datasets' categories count for nothing; empty and undefined stand for all. */
  categories?: readonly number[] | undefined;
  /** Also images without annotations. */
  withEmptyImages?: boolean | undefined;
  /** With a slash at its end, and with its sub-folders; "" and undefined are the whole dataset. */
  folder?: string | undefined;
  accepts?: ((image: Pick<ExportedImage, "hash">) => boolean) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Pages of the images to be exported, by id, as they are when their page is read; some may be empty. The categories of
 * their annotations are added to `used`.
 */
export async function* exportedImages(
  db: Kysely<Schema>,
  datasetId: number,
  { categories, withEmptyImages, folder = "", accepts = () => true, signal }: ImageFilter,
  used: Set<number> = new Set(),
): AsyncGenerator<ExportedImage[]> {
  const wanted = categories?.length ? categories : undefined;
  for (let last = 0; ; ) {
    signal?.throwIfAborted();
    const rows = await imagePage(db, datasetId, last);
    const own = rows.filter((row) => row.folder.startsWith(folder) && accepts(row));
    const counts = await countsOf(db, own, wanted, used);
    const page = own.filter(({ id }) => withEmptyImages || counts.has(id));
    yield page.map((row) => ({ ...row, count: counts.get(row.id) ?? 0 }));
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1)?.id ?? last;
  }
}

function imagePage(db: Kysely<Schema>, datasetId: number, after: number) {
  return db
    .selectFrom("images")
    .select(["id", "width", "height", "path", "folder", "hash", "dataset_id", "metadata", "extra"])
    .where("dataset_id", "=", datasetId)
    .where("deleted_at", "is", null)
    .where("id", ">", after)
    .orderBy("id")
    .limit(PAGE_ROWS)
    .execute();
}

/** Numbers of annotations, by image. */
async function countsOf(
  db: Kysely<Schema>,
  images: readonly { id: number }[],
  wanted: readonly number[] | undefined,
  used: Set<number>,
): Promise<Map<number, number>> {
  if (images.length === 0) return new Map();
  const ids = images.map(({ id }) => id);
  const { rows } = await sql<CountedImage & { categories: number[] }>`
    select a.image_id as id, count(*)::int as count, array_agg(distinct a.category_id) as categories
    from annotations a join categories c on c.id = a.category_id and c.deleted_at is null ${among(wanted)}
    where a.image_id = any(${ids}::int[]) and ${isShown}
    group by a.image_id`.execute(db);
  for (const row of rows) for (const id of row.categories) used.add(id);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** A condition on `categories c`. */
export const among = (wanted: readonly number[] | undefined) =>
  wanted ? sql`and c.id = any(${wanted}::int[])` : sql``;
