import type { ExportFormat, Split } from "../../../../shared/entities/export";
import type { NewMember } from "../../../files/zip/zipWriter";
import type { CocoRow } from "../../annotations/rows/annotationPages";
import type { CocoCategoryRow } from "../coco/cocoItems";
import type { ExportedImage } from "../coco/exportedImages";

/** A format that has files for each image. Each kind of them is a function in a file of its own, see `formats.ts`. */

export type ImageFormat = Exclude<ExportFormat, "coco">;

/** Columns of an annotation that per-image files can express. */
export type Drawn = Pick<
  CocoRow,
  "id" | "category_id" | "shape" | "bbox" | "iscrowd" | "isbbox" | "keypoints" | "extra"
>;

export interface FormatContext {
  datasetName: string;
  /** By id; a category's number is its place here. */
  categories: readonly CocoCategoryRow[];
  /** Undefined: images are not dealt. */
  splits: readonly Split[] | undefined;
  /** Logs the parts of an annotation that were left out. */
  note(text: string, row: Pick<Drawn, "id">): void;
}

/** An image and its names in the zip. */
export interface ImageInZip {
  image: Pick<ExportedImage, "path" | "folder" | "width" | "height">;
  /** Its path without ending, or another name that no other image has. */
  stem: string;
  split: Split | undefined;
}

export interface FormatWriter {
  /** Files that say what is in the others. */
  head(): Iterable<NewMember>;
  imageWriter(image: ImageInZip): ImageWriter;
  /** Returns the path of the image file in the zip. */
  imagePath(image: ImageInZip): string;
  tail(): Iterable<NewMember>;
}

export interface ImageWriter {
  /** `category` is the category's number. Throws Unusable with the reason why the format cannot say this. */
  add(row: Drawn, category: number): void;
  /** After the last annotation. */
  files(): Iterable<NewMember>;
}

/** "labels/train/": the folder of a split, where there is one. */
export const folderOfSplit = (folder: string, split: Split | undefined): string =>
  `${folder}/${split ? `${split}/` : ""}`;
