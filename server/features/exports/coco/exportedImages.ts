import { type Kysely, sql } from "kysely";
import { isShown } from "../../../db/rows/annotations";
import { isLiveCategory } from "../../../db/rows/categories";
import { isLiveImage } from "../../../db/rows/images";
import type { ImageRow, Schema } from "../../../db/schema";
import { type CountedImage, PAGE_ROWS } from "../../annotations/rows/annotationPages";
import type { CocoImageRow } from "./cocoItems";

/** Columns of an exported image. `count` is the number of its annotations in the exported categories. */
export type ExportedImage = CocoImageRow & Pick<ImageRow, "folder" | "hash"> & CountedImage;

export interface ImageFilter {
  /** Category ids. Ids of other datasets' categories are ignored; empty and undefined mean all. */
  categories?: readonly number[] | undefined;
  /** True to include images without annotations. */
  withEmptyImages?: boolean | undefined;
  onlyAccepted?: boolean | undefined;
  /** Folder with a trailing slash, including its sub-folders; "" and undefined mean the whole dataset. */
  folder?: string | undefined;
  accepts?: ((image: Pick<ExportedImage, "hash">) => boolean) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Yields pages of the images to export, in order of id; pages may be empty. Adds the category ids of their annotations
 * to `used`.
 */
export async function* exportedImages(
  db: Kysely<Schema>,
  datasetId: number,
  { categories, withEmptyImages, onlyAccepted = false, folder = "", accepts = () => true, signal }: ImageFilter,
  used: Set<number> = new Set(),
): AsyncGenerator<ExportedImage[]> {
  const wanted = categories?.length ? categories : undefined;
  for (let last = 0; ; ) {
    signal?.throwIfAborted();
    const rows = await imagePage(db, datasetId, last, onlyAccepted);
    const own = rows.filter((row) => row.folder.startsWith(folder) && accepts(row));
    const counts = await countsOf(db, own, wanted, used);
    const page = own.filter(({ id }) => withEmptyImages || counts.has(id));
    yield page.map((row) => ({ ...row, count: counts.get(row.id) ?? 0 }));
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1)?.id ?? last;
  }
}

function imagePage(db: Kysely<Schema>, datasetId: number, after: number, onlyAccepted: boolean) {
  return db
    .selectFrom("images")
    .select(["id", "width", "height", "path", "folder", "hash", "dataset_id", "metadata", "extra"])
    .where("dataset_id", "=", datasetId)
    .where(isLiveImage())
    .where("id", ">", after)
    .$if(onlyAccepted, (query) => query.where("stage", "=", "accepted"))
    .orderBy("id")
    .limit(PAGE_ROWS)
    .execute();
}

/** Returns the number of exported annotations by image id. */
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
    from annotations a join categories c on c.id = a.category_id and ${isLiveCategory("c")} ${among(wanted)}
    where a.image_id = any(${ids}::int[]) and ${isShown}
    group by a.image_id`.execute(db);
  for (const row of rows) for (const id of row.categories) used.add(id);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Condition on `categories c`: the given categories, or all. */
export const among = (wanted: readonly number[] | undefined) =>
  wanted ? sql`and c.id = any(${wanted}::int[])` : sql``;
