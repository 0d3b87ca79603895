import type { Kysely } from "kysely";
import type { Schema } from "../../../db/schema";
import { cutFile } from "../formats/cutFile";
import { Tally } from "../read/importReport";
import type { FilePicture } from "../read/readAnnotation";
import { type FileId, type Item, idOf } from "../read/readItem";
import { type ImageKeys, readImageKeys, storeImageKeys } from "./imageKeys";
import type { ImportRow, ImportTools } from "./importRow";
import { readCatalogue } from "./readCatalogue";

const BATCH = 500;

/** An image of the dataset, and what the file says of it. */
type Kept = [picture: FilePicture, item: Item];

/**
 * Reads a file's images once more and keeps the unknown keys and metadata of those that the import has found in the
 * dataset. Done twice it changes nothing. It is not cancelled: the import is complete by now.
 */
export async function keepImageKeys(tools: ImportTools, row: ImportRow, upload: string): Promise<void> {
  const { db, files } = tools;
  const file = { transfers: files.transfers, upload, signal: new AbortController().signal };
  const pictures = await foundPictures(db, row.dataset_id, file);
  const kept: Kept[] = [];
  for await (const cuts of cutFile({ ...file, lists: ["images"] })) {
    for (const { value, text } of cuts) {
      if (!isItem(value)) continue;
      const picture = takeFirst(pictures, idOf(value, "id", text));
      if (picture) kept.push([picture, value]);
      if (kept.length === BATCH) await keepSome(db, kept.splice(0));
    }
  }
  await keepSome(db, kept);
}

/** By the file's ids, which only the whole file tells: two of its images may mean the same one. */
async function foundPictures(
  db: Kysely<Schema>,
  datasetId: number,
  file: Pick<Parameters<typeof readCatalogue>[0], "transfers" | "upload" | "signal">,
): Promise<Map<FileId, FilePicture>> {
  const unread = new Tally(() => undefined);
  const tallies = { images: unread, imageNotes: unread, categories: unread, lists: unread };
  const { pictures } = await readCatalogue({ ...file, db, datasetId, pixels: undefined, ...tallies });
  return new Map(
    [...pictures].flatMap(([id, picture]) => (typeof picture === "object" ? [[id, picture] as const] : [])),
  );
}

/** Of several images with one id the first counts. */
function takeFirst(pictures: Map<FileId, FilePicture>, id: FileId | undefined): FilePicture | undefined {
  if (id === undefined) return undefined;
  const picture = pictures.get(id);
  pictures.delete(id);
  return picture;
}

const isItem = (value: unknown): value is Item => typeof value === "object" && value !== null && !Array.isArray(value);

async function keepSome(db: Kysely<Schema>, kept: readonly Kept[]): Promise<void> {
  const keys = new Map<number, ImageKeys>();
  for (const [picture, item] of kept) {
    const read = readImageKeys(item).keys;
    if (read) keys.set(picture.id, read);
  }
  await storeImageKeys(db, keys);
}
