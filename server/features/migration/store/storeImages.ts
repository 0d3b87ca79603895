import { sql } from "kysely";
import type { Size } from "../../../../shared/entities/image";
import { transaction } from "../../../db/transaction";
import { fileFactsOf } from "../../images/newImageRow";
import { batchesOf, type Entry } from "../dump/batches";
import { type Doc, flagOf, keyOf, numberOf, textOf } from "../dump/values";
import { readEvents } from "../map/events";
import type { Note } from "../map/fields";
import { imagePlace } from "../map/paths";
import type { Migration } from "./context";
import { knownRows, type MigratedRow } from "./ids";
import { findFile, MISSING, missingFile } from "./imageFiles";
import { type Placed, placeAll } from "./imagePlaces";
import { imagine, insertAll, noteSize, type Prepared } from "./imageRows";
import type { CollectionReport } from "./report";

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
