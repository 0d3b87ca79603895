import { CocoFileError, ItemCutter } from "../../../shared/coco/items";
import { codeOf } from "../../errors";
import type { Transfers } from "../../files/transfers";

/** One element of a list of the file. */
export interface CutItem {
  key: string;
  index: number;
  value: unknown;
  /** The element as the file has it. */
  text: string;
}

export interface CutOptions {
  transfers: Pick<Transfers, "readUpload">;
  upload: string;
  /** Top-level lists whose elements are wanted. */
  lists: readonly string[];
  signal: AbortSignal;
  /** A top-level key of the file, before its value. */
  onKey?: (key: string, isList: boolean) => void;
  /** Bytes read so far. */
  onBytes?: (bytes: number) => void;
}

/**
 * The elements of an uploaded COCO file in the file's order, as many at a time as a piece of 256 kB has, so that the
 * thread is free in between. Throws an Error for people on a file that is no sound COCO file.
 */
export async function* cutFile({
  transfers,
  upload,
  lists,
  signal,
  onKey,
  onBytes,
}: CutOptions): AsyncGenerator<CutItem[]> {
  let items: CutItem[] = [];
  const cutter = new ItemCutter(new Set(lists), {
    item: (key, index, value, text) => items.push({ key, index, value, text }),
    ...(onKey && { key: onKey }),
  });
  let bytes = 0;
  try {
    for await (const chunk of transfers.readUpload(upload)) {
      signal.throwIfAborted();
      cutter.write(chunk);
      bytes += chunk.length;
      onBytes?.(bytes);
      if (items.length > 0) yield items;
      items = [];
    }
    cutter.end();
  } catch (error) {
    if (error instanceof CocoFileError) throw new Error(`The file cannot be read as COCO: ${error.message}.`);
    if (codeOf(error) === "ENOENT") throw new Error("The uploaded file is gone. Please upload it again.");
    throw error;
  }
}
