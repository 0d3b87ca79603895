import type { Transfers } from "../../../files/transfers";

/** One list element of a COCO file, or an element of another format converted to COCO. */
export interface SplitItem {
  /** Name of the list. */
  key: string;
  /** Index in the list. */
  index: number;
  value: unknown;
  /** Source text of the element. */
  text: string;
  /** Name in the log, for elements without an id. */
  label?: string;
  /** Reason why the item cannot be read. `value` is then meaningless. */
  problem?: string;
  /** True if the element has NaN or Infinity, which were read as null. */
  hasNaN?: boolean;
  /** True if coordinates are fractions of the image's width and height. */
  isRelative?: boolean;
  /** Possible paths of an image without file extension, most likely first, if its file name is not given. */
  stems?: readonly string[];
}

export interface SplitOptions {
  transfers: Pick<Transfers, "readUpload" | "isZip" | "zipTexts" | "uploadBytes">;
  upload: string;
  /** Top-level lists whose elements are returned. */
  lists: readonly string[];
  signal: AbortSignal;
  /** Called with each top-level key of the file before its value is read. */
  onKey?: (key: string, isList: boolean) => void;
  /** Called with the number of bytes read so far. */
  onBytes?: (bytes: number) => void;
}

/** Top-level keys of a file of another format after its conversion to COCO. */
export const LISTS = ["images", "categories", "annotations"] as const;
