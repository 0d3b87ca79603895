import { constants, copyFile, link, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { isTurn, turnSize } from "../../../../shared/coco/turn";
import type { Size } from "../../../../shared/entities/image";
import type { Json } from "../../../../shared/entities/scalars";
import { HttpError } from "../../../base/errors";
import type { NewImageRow, Schema } from "../../../db/schema";
import { transaction } from "../../../db/transaction";
import type { ImageFacts } from "../../../files/decode/probe";
import { ImageError } from "../../../files/paths/imageError";
import { withoutExtension } from "../../../files/paths/safePath";
import { fileFactsOf, newImageRow } from "../../images/newImageRow";
import { batchesOf, type Entry } from "../dump/batches";
import { type Doc, dateOf, flagOf, keyOf, listOf, numberOf, textOf } from "../dump/values";
import { millisecondsOf, readEvents } from "../map/events";
import { extraOf, metadataOf, type Note } from "../map/fields";
import { type ImagePlace, imagePlace } from "../map/paths";
import type { MigratedDataset, Migration } from "./context";
import { idsFor, knownRows, type MigratedRow, rememberRows } from "./ids";
import type { CollectionReport } from "./report";
import { storeSessions } from "./sessions";

/** Hash of an image whose file was not found. A scan, or the command again, replaces it when the file is there. */
const MISSING = "missing";
/** Files that are copied and read at once. */
const AT_ONCE = 4;

/** Migrates the images: copies each file, which never changes the source, and then stores the row. */
export async function storeImages(migration: Migration): Promise<void> {
  const { db, source, dump } = migration;
  const report = migration.report.of("image_model");
  for await (const batch of batchesOf(dump, "image_model", report)) {
    const entries = withoutRepeats(batch, report);
    const known = await knownRows(
      db,
      source,
      "image_model",
      entries.map(({ key }) => key),
    );
    report.known += known.size;
    await findMissingFiles(migration, entries, known);
    const fresh = entries.filter(({ key }) => !known.has(key));
    await storeFresh(migration, fresh, report);
    migration.progress(report);
  }
}

/** A dump that was made while the server ran may have a document twice. */
export function withoutRepeats(batch: readonly Entry[], report: CollectionReport): Entry[] {
  const seen = new Set<string>();
  return batch.filter(({ key }) => {
    const isNew = !seen.has(key);
    seen.add(key);
    if (!isNew) report.skip(`id ${key}`, "is in the file twice");
    return isNew;
  });
}

/** An image that is ready to be stored. */
interface Prepared extends Entry {
  dataset: MigratedDataset;
  label: string;
  path: string;
  old: Size | undefined;
  facts: ImageFacts;
  note: Note;
}

async function storeFresh(migration: Migration, entries: readonly Entry[], report: CollectionReport): Promise<void> {
  const placed = await placeAll(migration, entries, report);
  const prepared: Prepared[] = [];
  for (let from = 0; from < placed.length; from += AT_ONCE) {
    const group = placed.slice(from, from + AT_ONCE);
    // Waits for all, so that no file is still being copied when an error ends the command.
    for (const result of await Promise.allSettled(group.map((each) => prepare(migration, each)))) {
      if (result.status === "rejected") throw result.reason;
      if (result.value) prepared.push(result.value);
    }
  }
  if (prepared.length === 0) return;
  for (const each of prepared) noteSize(migration, each);
  if (migration.options.isDryRun) imagine(migration, prepared);
  else await transaction(migration.db, (trx) => insertAll(trx, migration, prepared));
  report.created += prepared.length;
  const deleted = prepared.filter(({ doc }) => flagOf(doc.deleted)).length;
  migration.report.count("images in the trash", deleted);
  const sessions = prepared.reduce((sum, { doc }) => sum + readEvents(doc).events.length, 0);
  migration.report.count("sessions of work on images", sessions);
}

interface Placed extends Entry {
  dataset: MigratedDataset;
  label: string;
  place: ImagePlace;
}

/** Returns the images with their places, whose paths differ within each dataset. */
async function placeAll(
  { db, datasets, report: all }: Migration,
  entries: readonly Entry[],
  report: CollectionReport,
): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (const { key, doc } of entries) {
    const path = textOf(doc.path) ?? "";
    const label = `image ${key} (${path || textOf(doc.file_name) || "without a path"})`;
    const dataset = datasets.get(keyOf(doc.dataset_id) ?? "");
    const place = dataset && imagePlace(dataset, path, textOf(doc.file_name) ?? "");
    if (!dataset) report.skip(label, "belongs to a dataset that is gone from the old database, or from Limn");
    else if (!place) report.skip(label, "has neither a path nor a file name");
    else placed.push({ key, doc, dataset, label, place });
  }
  const taken = await takenPaths(db, placed);
  for (const each of placed) {
    const { place, dataset, label } = each;
    const free = freePath(place.path, (path) => taken.has(`${dataset.id} ${path}`));
    if (place.isRenamed || free !== place.path)
      all.of("image_model").note(label, `has a path that cannot be used, and is now at ${free}`);
    taken.add(`${dataset.id} ${free}`);
    each.place = { ...place, path: free };
  }
  return placed;
}

async function takenPaths(db: Kysely<Schema>, placed: readonly Placed[]): Promise<Set<string>> {
  if (placed.length === 0) return new Set();
  const pairs = placed.map(({ dataset, place }) => ({ id: dataset.id, path: place.path }));
  const { rows } = await sql<{ dataset_id: number; path: string }>`
    select i.dataset_id, i.path from json_to_recordset(${JSON.stringify(pairs)}::json) as x(id int, path text)
    join images i on i.dataset_id = x.id and i.path = x.path collate "C"`.execute(db);
  return new Set(rows.map(({ dataset_id, path }) => `${dataset_id} ${path}`));
}

/** Returns the path, or with a number before its extension if it is taken: "a/1 (2).jpg". */
function freePath(path: string, isTaken: (path: string) => boolean): string {
  const stem = withoutExtension(path);
  for (let number = 1; ; number++) {
    const wanted = number === 1 ? path : `${stem} (${number})${path.slice(stem.length)}`;
    if (!isTaken(wanted)) return wanted;
  }
}

/** Stores the file of an image. Returns undefined, and reports it, if it has neither a file nor a size. */
async function prepare(migration: Migration, { place, ...placed }: Placed): Promise<Prepared | undefined> {
  const report = migration.report.of("image_model");
  const { doc, label, dataset } = placed;
  const note: Note = (text) => report.note(label, text);
  const old = sizeIn(doc);
  const facts = (await findFile(migration, dataset, place, note)) ?? (old && missingFile(old, place.path));
  if (!facts) {
    report.skip(label, "has no usable file, and no width and height");
    return undefined;
  }
  return { ...placed, path: place.path, old, facts, note };
}

function sizeIn(doc: Doc): Size | undefined {
  const [width, height] = [Math.round(numberOf(doc.width) ?? 0), Math.round(numberOf(doc.height) ?? 0)];
  const isUsable = width > 0 && height > 0 && width <= 1_000_000 && height <= 1_000_000;
  return isUsable ? { width, height } : undefined;
}

const TYPES: Record<string, string> = { png: "png", gif: "gif", bmp: "bmp", tif: "tiff", tiff: "tiff", webp: "webp" };

function missingFile({ width, height }: Size, path: string): ImageFacts {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const mime = `image/${TYPES[extension] ?? "jpeg"}`;
  return { mime, width, height, orientation: 1, bytes: 0, modifiedMs: 0, hash: MISSING };
}

/** Stores the file of an image at its path, if it is found. Notes why it cannot be used otherwise. */
async function findFile(
  migration: Migration,
  { folder }: MigratedDataset,
  place: ImagePlace,
  note: Note,
): Promise<ImageFacts | undefined> {
  const { files, options } = migration;
  const from = await existing(options.images, place.candidates);
  if (from === undefined) {
    note("has no file in the folder of images");
    return undefined;
  }
  try {
    if (options.isDryRun) return await files.images.probeUpload(from);
    return await storeFile(migration, folder, place.path, from);
  } catch (error) {
    if (error instanceof ImageError) note(`has a file that cannot be used: ${error.message}`);
    else if (error instanceof HttpError && error.status < 500)
      note(`has a file that cannot be stored: ${error.message}`);
    else throw error;
    return undefined;
  }
}

async function existing(root: string, candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) {
    const path = join(root, candidate);
    const state = await stat(path).catch(() => undefined);
    if (state?.isFile()) return path;
  }
  return undefined;
}

/** Copies a file to its path. A file that is there already, from a run that was stopped or in place, stays. */
async function storeFile(
  { files, options }: Migration,
  folder: string,
  path: string,
  from: string,
): Promise<ImageFacts> {
  const { images } = files;
  if (await images.state(folder, path)) {
    const [there, given] = [await images.probe(folder, path), await images.probeUpload(from)];
    if (there.hash === given.hash) return there;
    throw new ImageError("another file is at its path");
  }
  const copy = await images.temporary.make();
  try {
    await copyTo(from, copy, options.link);
    const facts = await images.probeUpload(copy);
    if ((await images.store(folder, path, copy, facts.hash)) === "different")
      throw new ImageError("another file is at its path");
    return { ...facts, ...(await images.state(folder, path)) };
  } finally {
    await images.temporary.remove(copy);
  }
}

async function copyTo(from: string, to: string, asLink: boolean): Promise<void> {
  if (
    asLink &&
    (await link(from, to).then(
      () => true,
      () => false,
    ))
  )
    return;
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

/** Notes an orientation, and a size that differs from that of the file. */
function noteSize({ options }: Migration, { old, facts, note }: Prepared): void {
  const { orientation, width, height } = facts;
  if (isTurn(orientation))
    note(
      `has the EXIF orientation ${orientation}: ${isUpright(options.upright, old, facts) ? "its annotations were kept as they are" : "its annotations were turned upright"}`,
    );
  if (!old) return;
  const sizes = [facts, ...(isTurn(orientation) ? [turnSize(orientation, facts)] : [])];
  if (!sizes.some((size) => size.width === old.width && size.height === old.height))
    note(
      `has a file of ${width} x ${height} pixels instead of ${old.width} x ${old.height}: its annotations may be in the wrong place`,
    );
}

/** True if what was drawn follows the orientation: if the user says so, or the old size is that of the upright image. */
function isUpright(byChoice: boolean, old: Size | undefined, { orientation, ...upright }: ImageFacts): boolean {
  if (byChoice || !isTurn(orientation) || !old) return byChoice;
  const stored = turnSize(orientation, upright);
  const fits = (size: Size) => size.width === old.width && size.height === old.height;
  return fits(upright) && !fits(stored);
}

function imagine({ imagined, options }: Migration, prepared: readonly Prepared[]): void {
  for (const { key, old, facts } of prepared) {
    const { width, height, orientation } = facts;
    imagined.set(key, { id: -1, width, height, orientation, old, isUpright: isUpright(options.upright, old, facts) });
  }
}

/** Keys of images that COCO files have too, and that exports write again. */
const EXTRA_KEYS = ["license", "coco_url", "flickr_url", "date_captured"];

async function insertAll(trx: Kysely<Schema>, migration: Migration, prepared: readonly Prepared[]): Promise<void> {
  const { source, users, options } = migration;
  const ids = await idsFor(
    trx,
    source,
    "image_model",
    prepared.map(({ key }) => key),
  );
  const worked = prepared.map(({ doc, note }) => {
    const { events, unreadable } = readEvents(doc);
    if (unreadable > 0) note("has sessions of work without a time, which were left out");
    return events;
  });
  const rows = prepared.map((each, i) => ({
    id: ids[i]!,
    ...rowOf(migration, each, millisecondsOf(each.doc, worked[i]!)),
  }));
  await trx.insertInto("images").values(rows).execute();
  const remembered = prepared.map(({ key, old, facts }, i) => {
    const upright = isUpright(options.upright, old, facts);
    return { key, id: ids[i]!, details: { ...(old && { width: old.width, height: old.height }), upright } };
  });
  await rememberRows(trx, source, "image_model", remembered);
  await storeSessions(
    trx,
    source,
    users,
    prepared.map(({ key }, i) => ({
      collection: "image_model",
      key,
      imageId: ids[i]!,
      annotationUuid: null,
      events: worked[i]!,
    })),
  );
}

function rowOf(migration: Migration, { doc, dataset, path, facts, note }: Prepared, milliseconds: number): NewImageRow {
  const keys = [...new Set(listOf(doc.category_ids).flatMap((item) => keyOf(item) ?? []))];
  const labels = keys.flatMap((key) => migration.categories.get(key)?.id ?? []);
  if (labels.length < keys.length) note("is labelled with categories that are gone from the old database");
  const extra: { [key: string]: Json } = extraOf(doc, EXTRA_KEYS);
  return {
    ...newImageRow(dataset.id, path, facts),
    metadata: JSON.stringify(metadataOf(doc.metadata, note)),
    labels: [...new Set(labels)].sort((a, b) => a - b),
    extra: JSON.stringify(extra),
    milliseconds,
    deleted_at: flagOf(doc.deleted) ? (dateOf(doc.deleted_date) ?? migration.now) : null,
  };
}

/** Looks again for the files of images that were migrated without them. */
async function findMissingFiles(
  migration: Migration,
  entries: readonly Entry[],
  known: ReadonlyMap<string, MigratedRow>,
): Promise<void> {
  const { db, options, datasets, report } = migration;
  const ids = [...known.values()].map(({ id }) => id);
  if (ids.length === 0 || options.isDryRun) return;
  const missing = await db
    .selectFrom("images")
    .select(["id", "path"])
    .where("id", "=", sql<number>`any(${ids}::int[])`)
    .where("hash", "=", MISSING)
    .execute();
  const paths = new Map(missing.map(({ id, path }) => [id, path]));
  for (const { key, doc } of entries) {
    const id = known.get(key)?.id ?? 0;
    const path = paths.get(id);
    const dataset = datasets.get(keyOf(doc.dataset_id) ?? "");
    const place = dataset && imagePlace(dataset, textOf(doc.path) ?? "", textOf(doc.file_name) ?? "");
    if (path === undefined || !place) continue;
    const note: Note = (text) => report.of("image_model").note(`image ${key} (${path})`, text);
    const facts = await findFile(migration, dataset, { ...place, path }, note);
    const old = sizeIn(doc);
    if (!facts) continue;
    if (old && (facts.width !== old.width || facts.height !== old.height)) {
      note("has a file now, but of another size than before: run a scan of its dataset");
      continue;
    }
    await db.updateTable("images").set(fileFactsOf(facts)).where("id", "=", id).execute();
    note("has its file now");
  }
}
