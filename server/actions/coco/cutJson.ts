import { CocoFileError, ItemCutter } from "../../../shared/coco/items";
import type { CutItem, CutOptions } from "./cutItem";

/**
 * The elements of a COCO file in the file's order, as many at a time as a piece of it has, so that the thread is free in
 * between. Throws an Error for people on a file that is no sound COCO file.
 */
export async function* cutJson(
  { lists, signal, onKey, onBytes }: CutOptions,
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<CutItem[]> {
  let items: CutItem[] = [];
  const cutter = new ItemCutter(new Set(lists), {
    item: (key, index, value, text, hasNaN) => items.push({ key, index, value, text, hasNaN }),
    ...(onKey && { key: onKey }),
  });
  let bytes = 0;
  try {
    for await (const chunk of pieces) {
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
    throw error;
  }
}
