import type { Kysely } from "kysely";
import type { DatasetRow, Schema } from "../../db/schema";
import type { ImageFiles } from "../../files/imageFiles";
import type { Tally } from "../imports/read/importReport";
import type { CocoCategoryRow } from "./coco/cocoItems";
import { exportedImages, type ImageFilter } from "./coco/exportedImages";
import type { ExportFilter } from "./exportFilter";
import type { ImageFormat } from "./formats/format";
import { ImageSplitter } from "./imageSplitter";

export interface ZipOptions {
  db: Kysely<Schema>;
  images: Pick<ImageFiles, "open">;
  dataset: Pick<DatasetRow, "id" | "name" | "folder">;
  filter: ExportFilter;
  signal: AbortSignal;
  onProgress: (percent: number) => void;
  /** Annotations and images that could not be written. */
  skipped: Tally;
}

/** Result of a first pass over the images. */
export interface Survey {
  /** Number of images to export. */
  images: number;
  /** Category ids of their annotations. */
  used: Set<number>;
  /** Undefined if the images are not split into sets. */
  splitter: ImageSplitter | undefined;
}

/** Input of a format that writes files for each image. */
export interface ImageOptions extends ZipOptions {
  format: ImageFormat;
  categories: readonly CocoCategoryRow[];
  survey: Survey;
}

/** Reads the images a first time, to collect their categories and to split them into sets. */
export async function surveyOf({ db, dataset, filter, signal }: ZipOptions): Promise<Survey> {
  const splitter = filter.split ? new ImageSplitter(filter.split, filter.seed) : undefined;
  const used = new Set<number>();
  let images = 0;
  for await (const page of exportedImages(db, dataset.id, { ...imageFilter(filter), signal }, used)) {
    images += page.length;
    for (const { hash } of page) splitter?.add(hash);
  }
  return { images, used, splitter };
}

export const imageFilter = ({ categories, with_empty_images, only_accepted, folder }: ExportFilter): ImageFilter => ({
  categories,
  withEmptyImages: with_empty_images,
  onlyAccepted: only_accepted,
  folder,
});
