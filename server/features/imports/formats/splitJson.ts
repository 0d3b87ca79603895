import { CocoFileError, ItemSplitter } from "../../../../shared/coco/items/items";
import { readText } from "./readText";
import type { SplitItem, SplitOptions } from "./splitItem";

/**
 * Maximum characters of an element parsed on the main thread, which takes a few milliseconds. Longer elements go to a
 * thread.
 */
const LONG = 300_000;

/** A long element that is not parsed yet, and the error to throw if it is invalid. */
interface LongItem {
  item: SplitItem;
  fault: CocoFileError;
}

/**
 * Splits a COCO file into its elements, in order, and yields those of one chunk at a time, so that the main thread is
 * free in between. Throws an Error whose message is shown to the user if the file is not a valid COCO file.
 */
export async function* splitJson(
  { lists, signal, onKey, onBytes }: SplitOptions,
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<SplitItem[]> {
  let items: SplitItem[] = [];
  let long: LongItem[] = [];
  const splitter = new ItemSplitter(new Set(lists), {
    item: (key, index, value, text, hasNaN, fault) => {
      const item: SplitItem = { key, index, value, text, hasNaN };
      items.push(item);
      if (fault) long.push({ item, fault });
    },
    isLong: (text) => text.length > LONG,
    ...(onKey && { key: onKey }),
  });
  let bytes = 0;
  try {
    for await (const chunk of pieces) {
      signal.throwIfAborted();
      splitter.write(chunk);
      bytes += chunk.length;
      onBytes?.(bytes);
      for (const each of long) await readLong(each, signal);
      long = [];
      if (items.length > 0) yield items;
      items = [];
    }
    splitter.end();
  } catch (error) {
    if (error instanceof CocoFileError) throw new Error(`The file cannot be read as COCO: ${error.message}.`);
    throw error;
  }
}

async function readLong({ item, fault }: LongItem, signal: AbortSignal): Promise<void> {
  const read = await readText("json", item.text, signal);
  if (!read) throw fault;
  if ("problem" in read) item.problem = read.problem;
  else Object.assign(item, read);
}
