import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { cocoImage } from "../../../../shared/coco/items/writeItems";
import type { SegmentationForm } from "../../../../shared/entities/export";
import { isLiveCategory } from "../../../db/rows/categories";
import type { DatasetRow, Schema } from "../../../db/schema";
import { makePause } from "../../../threads/makePause";
import { annotationTextPages, type CountedImage } from "../../annotations/rows/annotationPages";
import { type CocoCategoryRow, cocoAnnotationText, cocoCategoryOf } from "./cocoItems";
import { among, exportedImages, type ImageFilter } from "./exportedImages";
import { type ImportedExtras, loadImportedExtras } from "./importedExtras";
import { oneAhead } from "./oneAhead";

export interface ExportOptions extends ImageFilter {
  segmentation?: SegmentationForm | undefined;
  onProgress?: (percent: number) => void;
  onEnd?: (exported: Exported) => void;
  /**
   * Receives each image and annotation of the file in order: the images by id, then the annotations by image and id.
   */
  onEntry?: (entry: WrittenEntry) => void;
  /** Further keys of the file's `info`. */
  info?: { date_created?: string; version?: string } | undefined;
}

/** An image or annotation as the file has it. */
export interface WrittenEntry {
  image: number;
  /** Undefined for an image. */
  annotation?: { id: number; category: number };
  text: string;
}

/** Summary of the written file. */
export interface Exported {
  images: number;
  annotations: number;
  /** Names of the categories. */
  categories: string[];
}

interface ExportImage extends CountedImage {
  width: number;
  height: number;
}

/**
 * Yields the text of a dataset's COCO file in pieces. Holds only the images' ids and sizes in memory, and reads no
 * faster than its consumer. Images and annotations are written as they are when their page is read, so the file may or
 * may not have an edit made during the export, but every annotation has its image and category.
 */
export async function* exportDataset(
  db: Kysely<Schema>,
  dataset: Pick<DatasetRow, "id" | "name">,
  options: ExportOptions = {},
): AsyncGenerator<string> {
  const importedExtras = await loadImportedExtras(db, dataset.id);
  const { licenses } = importedExtras;
  const info = { description: dataset.name, date_created: new Date().toISOString(), ...options.info };
  yield `{"info":${JSON.stringify(info)},${licenses.length > 0 ? `"licenses":${JSON.stringify(licenses)},` : ""}"images":[`;

  const wanted = options.categories?.length ? options.categories : undefined;
  const images = new Map<number, ExportImage>();
  const used = new Set<number>();
  for await (const page of exportedImages(db, dataset.id, options, used)) {
    if (page.length === 0) continue;
    const items = page.map((row) => JSON.stringify(cocoImage(row)));
    for (const [i, { id }] of page.entries()) options.onEntry?.({ image: id, text: items[i] ?? "" });
    yield (images.size > 0 ? "," : "") + items.join(",");
    for (const { id, width, height, count } of page) images.set(id, { id, width, height, count });
  }
  const categories = await exportedCategories(db, dataset.id, wanted, [...used], importedExtras);
  const byId = new Map(categories.map((category) => [category.id, category]));
  yield `],"categories":${JSON.stringify(categories.map(cocoCategoryOf))},"annotations":[`;

  let done = 0;
  const pause = makePause();
  const requester = `export ${randomUUID()}`;
  const counted = [...images.values()].filter(({ count }) => count > 0);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  for await (const rows of oneAhead(annotationTextPages(db, counted, [...byId.keys()]))) {
    options.signal?.throwIfAborted();
    const items: string[] = [];
    for (const row of rows) {
      const [category, image] = [byId.get(row.category_id), images.get(row.image_id)];
      if (category && image) {
        const text = await cocoAnnotationText(row, category, image, options.segmentation, requester);
        items.push(text);
        options.onEntry?.({ image: image.id, annotation: { id: row.id, category: category.id }, text });
      }
      await pause();
    }
    yield (done > 0 ? "," : "") + items.join(",");
    done += items.length;
    options.onProgress?.((100 * done) / Math.max(1, total));
  }
  yield "]}";
  options.onEnd?.({ images: images.size, annotations: done, categories: categories.map(({ name }) => name) });
}

/** Returns the categories that the dataset lists or uses, in order of id, with their unknown keys from imports. */
export async function exportedCategories(
  db: Kysely<Schema>,
  datasetId: number,
  wanted: readonly number[] | undefined,
  used: readonly number[],
  importedExtras: Pick<ImportedExtras, "categories">,
): Promise<CocoCategoryRow[]> {
  const { rows } = await sql<CocoCategoryRow>`
    select c.id, c.name, c.supercategory, c.color, c.metadata, c.keypoints, c.attributes from categories c
    where ${isLiveCategory("c")} ${among(wanted)} and (c.id = any(${used}::int[])
      or c.id in (select category_id from dataset_categories where dataset_id = ${datasetId}))
    order by c.id`.execute(db);
  return rows.map((row) => ({ ...row, extra: importedExtras.categories.get(row.id) ?? {} }));
}
