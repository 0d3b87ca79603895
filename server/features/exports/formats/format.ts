import type { ExportFormat, Split } from "../../../../shared/entities/export";
import type { NewMember } from "../../../files/zip/zipWriter";
import type { CocoRow } from "../../annotations/rows/annotationPages";
import type { CocoCategoryRow } from "../coco/cocoItems";
import type { ExportedImage } from "../coco/exportedImages";

/** Interfaces of the formats that write files for each image. The formats are listed in `formats.ts`. */

export type ImageFormat = Exclude<ExportFormat, "coco">;

/** Columns of an annotation that formats with files for each image can express. */
export type Drawn = Pick<
  CocoRow,
  "id" | "category_id" | "shape" | "bbox" | "iscrowd" | "isbbox" | "attributes" | "keypoints" | "extra"
>;

export interface FormatContext {
  datasetName: string;
  /** Sorted by id. A category's number is its index in this list. */
  categories: readonly CocoCategoryRow[];
  /** Undefined if the images are not split into sets. */
  splits: readonly Split[] | undefined;
  /** Logs the parts of an annotation that were left out. */
  note(text: string, row: Pick<Drawn, "id">): void;
}

/** An image and its name and set in the zip. */
export interface ImageInZip {
  image: Pick<ExportedImage, "path" | "folder" | "width" | "height">;
  /** Unique name: the path without extension, or the path itself if that is taken. */
  stem: string;
  split: Split | undefined;
}

export interface FormatWriter {
  /** Returns the files to write before those of the images, such as a list of classes. */
  head(): Iterable<NewMember>;
  imageWriter(image: ImageInZip): ImageWriter;
  /** Returns the path of the image file in the zip. */
  imagePath(image: ImageInZip): string;
  /** Returns the files to write after those of the images. */
  tail(): Iterable<NewMember>;
}

export interface ImageWriter {
  /**
   * Adds an annotation. `category` is the category's number. Throws Unusable with the reason if the format cannot
   * express it.
   */
  add(row: Drawn, category: number): void;
  /** Returns the image's files. Call it after the last annotation was added. */
  files(): Iterable<NewMember>;
}

/** Returns the folder of a set, such as "labels/train/", or the folder itself if images are not split into sets. */
export const folderOfSplit = (folder: string, split: Split | undefined): string =>
  `${folder}/${split ? `${split}/` : ""}`;
