import { type Kysely, sql } from "kysely";
import type { DatasetRow, Schema } from "../../db/schema";
import { isShown } from "../annotations/isShown";
import { annotationTextPages, type CountedImage, PAGE_ROWS } from "./annotationPages";
import {
  type CocoCategoryRow,
  type CocoImageRow,
  cocoAnnotationText,
  cocoCategory,
  cocoImage,
  type SegmentationForm,
} from "./cocoItems";
import { type KeptByImports, keptByImports } from "./keptByImports";
import { oneAhead } from "./oneAhead";

export interface ExportOptions {
  /** Ids of other datasets' categories count for nothing; empty and undefined stand for all. */
  categories?: readonly number[] | undefined;
  /** Also pictures without annotations. */
  withEmptyImages?: boolean | undefined;
  segmentation?: SegmentationForm;
  signal?: AbortSignal | undefined;
  onProgress?: (percent: number) => void;
  onEnd?: (exported: Exported) => void;
}

/** What came into the file. */
export interface Exported {
  images: number;
  annotations: number;
  /** Names. */
  categories: string[];
}

interface ExportImage extends CountedImage {
  width: number;
  height: number;
}

/**
 * A dataset as the text of a COCO file, piece by piece: nothing is held but the pictures' ids and sizes, and no more is
 * read than the taker takes. Pictures are those that are there when their page is read, annotations as they are when
 * theirs is: an edit meanwhile is in the file or not, and no annotation lacks its picture or category.
 */
export async function* exportDataset(
  db: Kysely<Schema>,
  dataset: Pick<DatasetRow, "id" | "name">,
  options: ExportOptions = {},
): AsyncGenerator<string> {
  const kept = await keptByImports(db, dataset.id);
  const { licenses } = kept;
  const info = { description: dataset.name, date_created: new Date().toISOString() };
  yield `{"info":${JSON.stringify(info)},${licenses.length > 0 ? `"licenses":${JSON.stringify(licenses)},` : ""}"images":[`;

  const wanted = options.categories?.length ? options.categories : undefined;
  const images = new Map<number, ExportImage>();
  const used = new Set<number>();
  for await (const [text, page] of imageTexts(db, dataset.id, wanted, used, options)) {
    yield images.size > 0 ? `,${text}` : text;
    for (const image of page) images.set(image.id, image);
  }
  const categories = await exportedCategories(db, dataset.id, wanted, [...used], kept);
  const byId = new Map(categories.map((category) => [category.id, category]));
  yield `],"categories":${JSON.stringify(categories.map(cocoCategory))},"annotations":[`;

  let done = 0;
  const counted = [...images.values()].filter(({ count }) => count > 0);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  for await (const rows of oneAhead(annotationTextPages(db, counted, [...byId.keys()]))) {
    options.signal?.throwIfAborted();
    const items = rows.flatMap((row) => {
      const [category, image] = [byId.get(row.category_id), images.get(row.image_id)];
      return category && image ? [cocoAnnotationText(row, category, image, options.segmentation)] : [];
    });
    yield (done > 0 ? "," : "") + items.join(",");
    done += items.length;
    options.onProgress?.((100 * done) / Math.max(1, total));
  }
  yield "]}";
  options.onEnd?.({ images: images.size, annotations: done, categories: categories.map(({ name }) => name) });
}

/** Categories that the dataset lists or uses, in the order of their ids, with what imports say of them beside. */
export async function exportedCategories(
  db: Kysely<Schema>,
  datasetId: number,
  wanted: readonly number[] | undefined,
  used: readonly number[],
  kept: Pick<KeptByImports, "categories">,
): Promise<CocoCategoryRow[]> {
  const { rows } = await sql<CocoCategoryRow>`
    select c.id, c.name, c.supercategory, c.color, c.metadata, c.keypoints from categories c
    where c.deleted_at is null ${among(wanted)} and (c.id = any(${used}::int[])
      or c.id in (select category_id from dataset_categories where dataset_id = ${datasetId}))
    order by c.id`.execute(db);
  return rows.map((row) => ({ ...row, extra: kept.categories.get(row.id) ?? {} }));
}

/** A condition on `categories c`. */
const among = (wanted: readonly number[] | undefined) => (wanted ? sql`and c.id = any(${wanted}::int[])` : sql``);

/** Pages of pictures, as text and as what their annotations need. The categories of these are added to `used`. */
async function* imageTexts(
  db: Kysely<Schema>,
  datasetId: number,
  wanted: readonly number[] | undefined,
  used: Set<number>,
  { withEmptyImages, signal }: ExportOptions,
): AsyncGenerator<[string, ExportImage[]]> {
  for (let last = 0; ; ) {
    signal?.throwIfAborted();
    const rows = await imagePage(db, datasetId, last);
    const counts = await countsOf(db, rows, wanted, used);
    const page = rows.filter(({ id }) => withEmptyImages || counts.has(id));
    if (page.length > 0) {
      const images = page.map(({ id, width, height }) => ({ id, width, height, count: counts.get(id) ?? 0 }));
      yield [page.map((row) => JSON.stringify(cocoImage(row))).join(","), images];
    }
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1)?.id ?? last;
  }
}

function imagePage(db: Kysely<Schema>, datasetId: number, after: number): Promise<CocoImageRow[]> {
  return db
    .selectFrom("images")
    .select(["id", "width", "height", "path", "dataset_id", "metadata", "extra"])
    .where("dataset_id", "=", datasetId)
    .where("deleted_at", "is", null)
    .where("id", ">", after)
    .orderBy("id")
    .limit(PAGE_ROWS)
    .execute();
}

/** Numbers of annotations, by picture. */
async function countsOf(
  db: Kysely<Schema>,
  images: readonly CocoImageRow[],
  wanted: readonly number[] | undefined,
  used: Set<number>,
): Promise<Map<number, number>> {
  const ids = images.map(({ id }) => id);
  const { rows } = await sql<CountedImage & { categories: number[] }>`
    select a.image_id as id, count(*)::int as count, array_agg(distinct a.category_id) as categories
    from annotations a join categories c on c.id = a.category_id and c.deleted_at is null ${among(wanted)}
    where a.image_id = any(${ids}::int[]) and ${isShown}
    group by a.image_id`.execute(db);
  for (const row of rows) for (const id of row.categories) used.add(id);
  return new Map(rows.map(({ id, count }) => [id, count]));
}
