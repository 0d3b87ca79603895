import type { Kysely } from "kysely";
import { HttpError } from "../../../base/errors";
import type { Schema } from "../../../db/schema";
import { makePause } from "../../../threads/makePause";
import { withMeasuring } from "../../measuring/measuring";
import { turnMask } from "../../measuring/turnMask";
import { type SplitItem, type SplitOptions, splitFile } from "../formats/splitFile";
import type { Unmatched } from "../match/matchImages";
import type { Tally } from "../read/importReport";
import {
  CANNOT_BE_MEASURED,
  type FileCategory,
  type FileImage,
  readAnnotation,
  sizeInFile,
} from "../read/readAnnotation";
import { asItem, byId, type FileId, type Item, idOf, Unusable } from "../read/readItem";
import { readRle } from "../read/readShape";
import { toPixels } from "../read/toPixels";
import type { AnnotationWriter } from "./annotationWriter";
import { ExistingAnnotations } from "./existingAnnotations";
import { BATCH_LENGTH, BATCH_ROWS, type NewRow } from "./insertAnnotations";
import { labelOf, usable } from "./readCatalogue";

export interface StoreOptions extends Omit<SplitOptions, "lists"> {
  db: Kysely<Schema>;
  writer: AnnotationWriter;
  /** Name to which the time for measuring outlines is charged. */
  requester: string;
  images: ReadonlyMap<FileId, FileImage | Unmatched>;
  categories: ReadonlyMap<FileId, FileCategory>;
  skipped: Tally;
  notes: Tally;
}

const WRITING_AT_ONCE = 2;

interface Batch {
  rows: NewRow[];
  images: Map<number, FileImage>;
  /** Characters of JSON. */
  length: number;
}

/**
 * Reads a file's annotations in a second pass and stores them as invisible rows, in batches. Two batches are written
 * while the next one is read. Returns the number of annotations that existed already. After a kill it continues where
 * it stopped, and items already stored stay as they are. When it throws, all writing has ended.
 */
export async function storeAnnotations(options: StoreOptions): Promise<{ matched: number }> {
  const existing = new ExistingAnnotations(options.db);
  const last = await options.writer.last();
  const writing: Promise<void>[] = [];
  const pause = makePause();
  let matched = 0;
  let batch = emptyBatch();

  /** Checks batches concurrently but stores them in order, so that ids follow the order of the file. */
  const write = async (full: Batch, before: Promise<void> | undefined) => {
    const fresh = await withoutDuplicates(options, existing, full, last);
    await before;
    matched += full.rows.length - fresh.length;
    for (const { item } of await options.writer.store(fresh))
      options.skipped.add("its image was deleted during the import", `Annotation at position ${item + 1}`);
  };
  const submitBatch = async () => {
    if (writing.length === WRITING_AT_ONCE) await writing.shift();
    options.signal.throwIfAborted();
    const begun = write(batch, writing.at(-1));
    // Errors surface where the promise is awaited.
    begun.catch(() => undefined);
    writing.push(begun);
    batch = emptyBatch();
  };

  try {
    for await (const items of splitFile({ ...options, lists: ["annotations"] })) {
      for (const item of items) {
        await add(options, batch, item);
        await pause();
        if (batch.rows.length === BATCH_ROWS || batch.length > BATCH_LENGTH) await submitBatch();
      }
    }
    await submitBatch();
    await Promise.all(writing);
  } finally {
    await Promise.allSettled(writing);
  }
  return { matched };
}

const emptyBatch = (): Batch => ({ rows: [], images: new Map(), length: 0 });

async function add(options: StoreOptions, batch: Batch, element: SplitItem): Promise<void> {
  const label = labelOf("Annotation", element);
  try {
    const given = asItem(usable(element));
    const image = imageOf(options, given, element.text);
    const category = categoryOf(options, given, element.text);
    const item = element.isRelative ? toPixels(given, sizeInFile(image)) : given;
    if (element.hasNaN) options.notes.add("has NaN or Infinity, which are not valid JSON and were read as null", label);
    const { annotation, notes } = await readMeasured(options, item, image, category);
    for (const text of notes) options.notes.add(text, label);
    batch.rows.push({ item: element.index, annotation });
    batch.images.set(image.id, image);
    batch.length += element.text.length;
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    options.skipped.add(error.message, label);
  }
}

/** Reads an annotation, and reads it again if a thread had to measure its outline first. */
async function readMeasured(options: StoreOptions, item: Item, image: FileImage, category: FileCategory) {
  const { requester, signal } = options;
  try {
    const mask = await turnedMask(options, item, image);
    const read = () => {
      const notes: string[] = [];
      return { annotation: readAnnotation(item, image, category, (text) => notes.push(text), mask), notes };
    };
    return await withMeasuring(requester, read, { signal });
  } catch (error) {
    const isTooHeavy = error instanceof HttpError || (error instanceof Error && error.name === "TimeoutError");
    throw isTooHeavy ? new Unusable(CANNOT_BE_MEASURED) : error;
  }
}

/** Returns an item's mask turned upright; undefined if it needs no turn or the item has no mask. */
async function turnedMask({ requester, signal }: StoreOptions, { segmentation }: Item, image: FileImage) {
  const { turn } = image;
  if (!turn || typeof segmentation !== "object" || segmentation === null || Array.isArray(segmentation))
    return undefined;
  const size = sizeInFile(image);
  const rle = await withMeasuring(requester, () => readRle(segmentation, size), { signal });
  return turnMask(requester, { turn, rle, size }, signal);
}

function imageOf({ images }: StoreOptions, item: Item, text: string): FileImage {
  const id = idOf(item, "image_id", text);
  if (id === undefined) throw new Unusable("has no image_id");
  const image = byId(images, id);
  if (image === undefined) throw new Unusable("its image is not in the file");
  if (typeof image === "string") throw new Unusable(`its image: ${image}`);
  return image;
}

function categoryOf({ categories }: StoreOptions, item: Item, text: string): FileCategory {
  const id = idOf(item, "category_id", text);
  if (id === undefined) throw new Unusable(kindOf(item) ?? "has no category_id");
  const category = byId(categories, id);
  if (category === undefined) throw new Unusable("its category is not in the file, or cannot be used");
  return category;
}

/** Returns the reason for an item of another kind of COCO file; undefined for an ordinary annotation. */
function kindOf(item: Item): string | undefined {
  if (Array.isArray(item.segments_info)) return "is a panoptic annotation: its mask is a PNG, which is not supported";
  if (typeof item.caption === "string") return "is a caption, which belongs to no category";
  return undefined;
}

/**
 * Returns a batch's rows without those that existed before the import. Rows stored by an earlier attempt count as new.
 */
async function withoutDuplicates(
  { writer }: StoreOptions,
  existing: ExistingAnnotations,
  { rows, images }: Batch,
  last: number,
): Promise<NewRow[]> {
  await existing.load(images.values());
  const duplicates = rows.filter(({ annotation }) => existing.has(annotation));
  if (duplicates.length === 0) return rows;
  const mine = await writer.stored(duplicates.map(({ item }) => item).filter((item) => item <= last));
  const out = new Set(duplicates.filter(({ item }) => !mine.has(item)));
  return rows.filter((row) => !out.has(row));
}
