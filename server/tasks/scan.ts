import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { insertImages } from "../db/rows/images";
import type { ImageRow } from "../db/schema";
import { fileFactsOf, imagesWithBytes, moveImageFile, newImageRow } from "../features/images/newImageRow";
import { invalidateCachedFigures } from "../features/images/staleWhileRevalidate";
import { type ImageFacts, UNFINISHED } from "../files/decode/probe";
import { ImageError } from "../files/paths/imageError";
import type { ListedFile } from "../files/paths/listFiles";
import { shown } from "../files/paths/safePath";
import type { Payload, TaskHelpers } from "../queue/task";
import { liveDataset } from "./common/liveDataset";
import { reportMissing } from "./common/reportMissing";
import { collectSkippedFiles } from "./common/skippedFiles";
import type { TaskTools } from "./common/tools";

const payloadOf = z.object({ dataset_id: z.number() });

const BATCH = 200;
/**
 * Number of files read at once: reading from a bucket mostly waits. The decoder and local copies have their own limits.
 */
const PROBES_AT_ONCE = 8;
/** Milliseconds after its last change from which a file counts as complete. */
const SETTLED_MS = 1_000;

type Tools = TaskHelpers & TaskTools;
type FoundFile = Extract<ListedFile, { bytes: number }>;
type Known = Pick<
  ImageRow,
  "id" | "path" | "bytes" | "modified_ms" | "hash" | "width" | "height" | "orientation" | "deleted_at"
>;
interface Probed {
  path: string;
  facts: ImageFacts;
}

/**
 * Scans a dataset's folder and its sub-folders for images. New files become images, images of moved files keep their
 * annotations, and known images stay unchanged. Nothing is deleted: missing files are only logged. Images in the trash
 * stay there. Safe to repeat, even after a kill.
 */
export async function scan(payload: Payload, tools: Tools) {
  const { db, files, signal, info, progress } = tools;
  const dataset = await liveDataset(db, payloadOf.parse(payload).dataset_id);
  const seen = new Set<string>();
  const isThere = rememberedState(files, dataset.folder);
  const count = { created: 0, moved: 0, changed: 0, known: 0, in_bin: 0 };
  const others = collectSkippedFiles();
  const total = await countFiles(files.images.listFiles(dataset.folder), signal);

  for await (const batch of inBatches(files.images.listFiles(dataset.folder))) {
    signal.throwIfAborted();
    for (const { path } of batch) seen.add(path);
    await scanBatch({ ...tools, dataset, count, others, isThere }, batch);
    progress(Math.min(99, (100 * seen.size) / Math.max(1, total)));
  }

  const missing = await reportMissing({ ...tools, dataset, seen });
  if (others.count > 0) info(others.summary());
  if (count.in_bin > 0) info(`${count.in_bin} file(s) belong to images in the trash and were skipped.`);
  if (count.moved > 0) info(`${count.moved} image(s) were moved and keep their annotations.`);
  if (count.changed > 0) info(`${count.changed} image(s) have new content.`);
  if (missing > 0) info(`${missing} image(s) have no file.`);
  info(`Created ${count.created} new image(s).`);
  return { ...count, missing, not_pictures: others.count };
}

interface Scan extends Tools {
  dataset: { id: number; folder: string };
  count: { created: number; moved: number; changed: number; known: number; in_bin: number };
  others: ReturnType<typeof collectSkippedFiles>;
  /** Returns true if a path of the dataset had a file when it was first checked. */
  isThere: (path: string) => Promise<boolean>;
}

/**
 * Returns a check that remembers the result for each path: otherwise each of a thousand equal files would check all the
 * others.
 */
function rememberedState({ images }: Tools["files"], folder: string): Scan["isThere"] {
  const known = new Map<string, Promise<boolean>>();
  return (path) => {
    const result = known.get(path) ?? images.state(folder, path).then((state) => state !== undefined);
    known.set(path, result);
    return result;
  };
}

async function scanBatch(scan: Scan, batch: ListedFile[]): Promise<void> {
  const { db, dataset, count, warn } = scan;
  const known = await knownImages(scan, batch);
  const fresh: FoundFile[] = [];
  for (const found of batch) {
    const image = known.get(found.path);
    if ("problem" in found) warn(`Could not read ${shown(found.path)}: ${found.problem}`);
    else if (!image) fresh.push(found);
    else if (image.deleted_at) count.in_bin++;
    else if (image.bytes === found.bytes && image.modified_ms === found.modifiedMs) count.known++;
    else await checkChanged(scan, image, found);
  }
  const probed = await probeAll(scan, fresh);
  const unmoved = await applyMoves(scan, probed);
  if (unmoved.length === 0) return;
  const rows = await insertImages(
    db,
    unmoved.map(({ path, facts }) => newImageRow(dataset.id, path, facts)),
  );
  count.created += rows.length;
  invalidateCachedFigures(db, dataset.id);
}

async function knownImages({ db, dataset }: Scan, batch: ListedFile[]): Promise<Map<string, Known>> {
  const paths = batch.map(({ path }) => path).filter((path) => !path.includes("\0"));
  const rows = await db
    .selectFrom("images")
    .select(["id", "path", "bytes", "modified_ms", "hash", "width", "height", "orientation", "deleted_at"])
    .where("dataset_id", "=", dataset.id)
    .where("path", "in", paths)
    .execute();
  return new Map(rows.map((row) => [row.path, row]));
}

async function probeAll(scan: Scan, fresh: FoundFile[]): Promise<Probed[]> {
  const probed: (Probed | undefined)[] = [];
  let next = 0;
  const probeNext = async () => {
    for (let i = next++; i < fresh.length; i = next++) {
      scan.signal.throwIfAborted();
      const found = fresh[i] as FoundFile;
      const facts = await probeOrWarn(scan, found);
      probed[i] = facts && { path: found.path, facts };
    }
  };
  const untilFailure = () =>
    probeNext().catch((error: unknown) => {
      next = fresh.length;
      throw error;
    });
  const ended = await Promise.allSettled(Array.from({ length: PROBES_AT_ONCE }, untilFailure));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return probed.filter((each) => each !== undefined);
}

/** Returns the facts of a new file; undefined if it is not an image or is invalid, which never stops the scan. */
async function probeOrWarn({ files, dataset, others, warn }: Scan, found: FoundFile): Promise<ImageFacts | undefined> {
  const age = Date.now() - found.modifiedMs;
  if (age >= 0 && age < SETTLED_MS) await wait(SETTLED_MS - age);
  try {
    const facts = await files.images.probe(dataset.folder, found.path);
    if (facts.bytes !== found.bytes || facts.modifiedMs !== found.modifiedMs) throw new ImageError(UNFINISHED);
    return facts;
  } catch (error) {
    if (!(error instanceof ImageError) && !isFileError(error)) throw error;
    if (error instanceof ImageError && !error.isImage) others.add(found.path);
    else warn(`Could not read ${shown(found.path)}: ${reasonOf(error)}`);
    return undefined;
  }
}

/** Returns true for errors that affect only one file, not the process or the disk. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && /^(EACCES|EPERM|ENOENT|EIO|ELOOP)$/.test(String(error.code));
}

const reasonOf = (error: ImageError | NodeJS.ErrnoException) =>
  error instanceof ImageError ? error.message : `it cannot be read (${error.code})`;

/** Moves known images to new files with the same bytes if their old file is gone. Returns the other new files. */
async function applyMoves(scan: Scan, probed: Probed[]): Promise<Probed[]> {
  if (probed.length === 0) return [];
  const gone = await goneWithBytes(scan, new Set(probed.map(({ facts }) => facts.hash)));
  const unmoved: Probed[] = [];
  for (const one of probed) {
    const image = gone.get(one.facts.hash)?.shift();
    if (image && (await moveImageFile(scan.db, image, one.path, one.facts))) scan.count.moved++;
    else unmoved.push(one);
  }
  return unmoved;
}

/** Returns the dataset's images with these hashes whose file no longer exists, by hash. */
async function goneWithBytes({ db, dataset, isThere }: Scan, hashes: Set<string>) {
  const gone = new Map<string, { id: number; path: string }[]>();
  for (const { id, path, hash } of await imagesWithBytes(db, dataset.id, [...hashes])) {
    if (await isThere(path)) continue;
    gone.set(hash, [...(gone.get(hash) ?? []), { id, path }]);
  }
  return gone;
}

/**
 * Handles a known image whose file has changed. Accepts the new content if it fits the annotations: if the size in
 * pixels is the same, or there are no annotations. Otherwise keeps the row and warns with every scan.
 */
async function checkChanged(scan: Scan, image: Known, found: FoundFile): Promise<void> {
  const facts = await probeOrWarn(scan, found);
  if (!facts) return;
  if (facts.hash === image.hash) scan.count.known++;
  else scan.count.changed++;
  const isSameSize = facts.width === image.width && facts.height === image.height;
  const fits = isSameSize || !(await hasAnnotations(scan, image.id));
  if (facts.hash !== image.hash) scan.warn(changeText(image, facts, fits));
  if (!fits) return;
  await scan.db.updateTable("images").set(fileFactsOf(facts)).where("id", "=", image.id).execute();
}

function changeText(image: Known, { width, height }: ImageFacts, fits: boolean): string {
  const path = shown(image.path);
  if (fits) return `${path} has new content. Its annotations are kept.`;
  const was = `${image.width} x ${image.height}`;
  return `${path} is now ${width} x ${height} pixels instead of ${was}. Its annotations are unchanged: put the previous file back, or delete the image and upload it under another name.`;
}

/** Returns true if the image has annotations, including those in the trash, which may be restored. */
async function hasAnnotations({ db }: Scan, imageId: number): Promise<boolean> {
  const row = await db
    .selectFrom("annotations")
    .select("id")
    .where("image_id", "=", imageId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function countFiles(found: AsyncGenerator<ListedFile>, signal: AbortSignal): Promise<number> {
  let total = 0;
  for await (const _ of found) if (++total % 1_000 === 0) signal.throwIfAborted();
  return total;
}

async function* inBatches(found: AsyncGenerator<ListedFile>): AsyncGenerator<ListedFile[]> {
  let batch: ListedFile[] = [];
  for await (const one of found) {
    batch.push(one);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
