import { CocoFileError, ItemSplitter } from "../../../../shared/coco/items/items";
import type { SplitItem, SplitOptions } from "./splitItem";
import { readText } from "./readText";

/** Letters of an element that are parsed at once: a few milliseconds. Longer ones go to a thread. */
const LONG = 300_000;

/** An element that is still to be parsed, and the error where it is not sound. */
interface Long {
  item: SplitItem;
  fault: CocoFileError;
}

/**
 * The elements of a COCO file in the file's order, as many at a time as a piece of it has, so that the thread is free in
 * between. Throws an Error for people on a file that is no sound COCO file.
 */
export async function* splitJson(
  { lists, signal, onKey, onBytes }: SplitOptions,
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<SplitItem[]> {
  let items: SplitItem[] = [];
  let long: Long[] = [];
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

async function readLong({ item, fault }: Long, signal: AbortSignal): Promise<void> {
  const read = await readText("json", item.text, signal);
  if (!read) throw fault;
  if ("problem" in read) item.problem = read.problem;
  else Object.assign(item, read);
}
