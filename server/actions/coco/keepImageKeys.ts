import { cutFile } from "./cutFile";
import { type ImageKeys, readImageKeys, storeImageKeys } from "./imageKeys";
import type { ImportRow, ImportTools } from "./importRow";
import { matchImages } from "./matchImages";
import type { Item } from "./readItem";

const BATCH = 500;

/**
 * Reads a file's pictures once more and keeps their unknown keys and metadata. Done twice it changes nothing. It is not
 * cancelled: the import is complete by now.
 */
export async function keepImageKeys(tools: ImportTools, row: ImportRow, upload: string): Promise<void> {
  const { transfers } = tools.files;
  const { signal } = new AbortController();
  let items: Item[] = [];
  const take = async () => {
    await keepSome(tools, row.dataset_id, items);
    items = [];
  };
  for await (const cuts of cutFile({ transfers, upload, lists: ["images"], signal })) {
    for (const { value } of cuts) {
      if (isItem(value)) items.push(value);
      if (items.length === BATCH) await take();
    }
  }
  await take();
}

const isItem = (value: unknown): value is Item => typeof value === "object" && value !== null && !Array.isArray(value);

async function keepSome({ db }: ImportTools, datasetId: number, items: readonly Item[]): Promise<void> {
  const matches = await matchImages(db, datasetId, items);
  const keys = new Map<number, ImageKeys>();
  matches.forEach(({ picture }, i) => {
    const item = items[i];
    const read = item && readImageKeys(item).keys;
    if (read && typeof picture === "object") keys.set(picture.id, read);
  });
  await storeImageKeys(db, keys);
}
