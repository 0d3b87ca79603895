import type { Kysely } from "kysely";
import type { Schema } from "../../../db/schema";
import { splitFile } from "../formats/splitFile";
import { Tally } from "../read/importReport";
import type { FileImage } from "../read/readAnnotation";
import { type FileId, type Item, idOf } from "../read/readItem";
import { type ImageKeys, readImageKeys, storeImageKeys } from "./imageKeys";
import type { ImportRow, ImportTools } from "./importRow";
import { readCatalogue } from "./readCatalogue";

const BATCH = 500;

/** An image of the dataset and its item in the file. */
type FoundImage = [image: FileImage, item: Item];

/**
 * Reads a file's images again and stores the unknown keys and metadata of those found in the dataset. May safely be
 * repeated. Cannot be cancelled, because the import is already complete.
 */
export async function importImageKeys(tools: ImportTools, row: ImportRow, upload: string): Promise<void> {
  const { db, files } = tools;
  const file = { transfers: files.transfers, upload, signal: new AbortController().signal };
  const images = await foundImages(db, row.dataset_id, file);
  const found: FoundImage[] = [];
  for await (const items of splitFile({ ...file, lists: ["images"] })) {
    for (const { value, text } of items) {
      if (!isItem(value)) continue;
      const image = takeFirst(images, idOf(value, "id", text));
      if (image) found.push([image, value]);
      if (found.length === BATCH) await storeKeys(db, found.splice(0));
    }
  }
  await storeKeys(db, found);
}

/**
 * Returns the dataset's images by the file's ids. Needs the whole file, since two of its items may match the same
 * image.
 */
async function foundImages(
  db: Kysely<Schema>,
  datasetId: number,
  file: Pick<Parameters<typeof readCatalogue>[0], "transfers" | "upload" | "signal">,
): Promise<Map<FileId, FileImage>> {
  const ignored = new Tally(() => undefined);
  const tallies = { images: ignored, imageNotes: ignored, categories: ignored, lists: ignored };
  const { images } = await readCatalogue({ ...file, db, datasetId, pixels: undefined, ...tallies });
  return new Map([...images].flatMap(([id, image]) => (typeof image === "object" ? [[id, image] as const] : [])));
}

/** Returns an image and removes it, so that only the first of several items with the same id counts. */
function takeFirst(images: Map<FileId, FileImage>, id: FileId | undefined): FileImage | undefined {
  if (id === undefined) return undefined;
  const image = images.get(id);
  images.delete(id);
  return image;
}

const isItem = (value: unknown): value is Item => typeof value === "object" && value !== null && !Array.isArray(value);

async function storeKeys(db: Kysely<Schema>, found: readonly FoundImage[]): Promise<void> {
  const keys = new Map<number, ImageKeys>();
  for (const [image, item] of found) {
    const read = readImageKeys(item).keys;
    if (read) keys.set(image.id, read);
  }
  await storeImageKeys(db, keys);
}
