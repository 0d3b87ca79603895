import type { ExportFormat, Split } from "../../../shared/entities/export";
import type { NewMember } from "../../files/zipWriter";
import type { CocoRow } from "../coco/annotationPages";
import type { CocoCategoryRow } from "../coco/cocoItems";
import type { ExportedImage } from "../coco/exportedImages";

/** A format that has files for each picture. Each kind of them is a function in a file of its own, see `formats.ts`. */

export type PictureFormat = Exclude<ExportFormat, "coco">;

/** What of an annotation pictures' files can say; more would not be read. */
export type Drawn = Pick<
  CocoRow,
  "id" | "category_id" | "shape" | "bbox" | "iscrowd" | "isbbox" | "keypoints" | "extra"
>;

export interface FormatContext {
  datasetName: string;
  /** By id; a category's number is its place here. */
  categories: readonly CocoCategoryRow[];
  /** Undefined: pictures are not dealt. */
  splits: readonly Split[] | undefined;
  /** Tells people what of an annotation was left out. */
  note(text: string, row: Pick<Drawn, "id">): void;
}

/** A picture and its names in the zip. */
export interface PictureInZip {
  image: Pick<ExportedImage, "path" | "folder" | "width" | "height">;
  /** Its path without ending, or another name that no other picture has. */
  stem: string;
  split: Split | undefined;
}

export interface FormatWriter {
  /** Files that say what is in the others. */
  head(): Iterable<NewMember>;
  picture(picture: PictureInZip): PictureWriter;
  /** Where the picture itself goes. */
  imagePath(picture: PictureInZip): string;
  tail(): Iterable<NewMember>;
}

export interface PictureWriter {
  /** `category` is the category's number. Throws Unusable with the reason why the format cannot say this. */
  add(row: Drawn, category: number): void;
  /** After the last annotation. */
  files(): Iterable<NewMember>;
}

/** "labels/train/": the folder of a split, where there is one. */
export const folderOfSplit = (folder: string, split: Split | undefined): string =>
  `${folder}/${split ? `${split}/` : ""}`;
