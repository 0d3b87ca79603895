import type { Transfers } from "../../../files/transfers";

/** One element of a list of a file: as a COCO file has it, or as a file of another format would say it in COCO's words. */
export interface SplitItem {
  key: string;
  index: number;
  value: unknown;
  /** The element as the file has it. */
  text: string;
  /** Its name in the log, if it has no id. */
  label?: string;
  /** The reason why the item cannot be read; `value` is then of no use. */
  problem?: string;
  /** Has NaN or Infinity, which were read as null. */
  hasNaN?: boolean;
  /** Coordinates are shares of the image's sides. */
  isRelative?: boolean;
  /** An image whose file name is not said, only its paths without ending, the surest first. */
  stems?: readonly string[];
}

export interface SplitOptions {
  transfers: Pick<Transfers, "readUpload" | "isZip" | "zipTexts" | "uploadBytes">;
  upload: string;
  /** Top-level lists whose elements are wanted. */
  lists: readonly string[];
  signal: AbortSignal;
  /** A top-level key of the file, before its value. */
  onKey?: (key: string, isList: boolean) => void;
  /** Bytes read so far. */
  onBytes?: (bytes: number) => void;
}

/** The top-level keys that a file of another format would have as COCO. */
export const LISTS = ["images", "categories", "annotations"] as const;
