import { sql, type Transaction } from "kysely";
import { insertMigratedAnnotations } from "../../../db/rows/annotations";
import type { Schema } from "../../../db/schema";
import { transaction } from "../../../db/transaction";
import { recountImages } from "../../annotations/rows/recountImages";
import { batchesOf, type Entry } from "../dump/batches";
import { type Doc, dateOf, flagOf, keyOf, textOf } from "../dump/values";
import { type ImageOfAnnotation, type OldAnnotation, readAnnotation } from "../map/annotation";
import { uuidFrom } from "../map/events";
import type { Migration } from "./context";
import { idsFor, knownRows, rememberRows } from "./ids";
import type { CollectionReport } from "./report";
import { storeSessions } from "./sessions";
import { addPlaceholder, NO_CATEGORY } from "./storeCategories";
import { withoutRepeats } from "./storeImages";

/** Characters of JSON in one statement; a single annotation may be longer. */
const STATEMENT_LENGTH = 1_000_000;

/** An annotation that is ready to be stored. */
interface Prepared extends Entry {
  imageId: number;
  categoryId: number;
  annotation: OldAnnotation;
}

/**
 * Migrates the annotations, deleted ones into the trash. Each batch is stored in one transaction with the counts of its
 * images and the record of what it stored, so that it may be stopped at any time. Open pages reload the images.
 */
export async function storeAnnotations(migration: Migration): Promise<void> {
  const { db, source, dump } = migration;
  const report = migration.report.of("annotation_model");
  for await (const batch of batchesOf(dump, "annotation_model", report)) {
    const entries = withoutRepeats(batch, report);
    const known = await knownRows(
      db,
      source,
      "annotation_model",
      entries.map(({ key }) => key),
    );
    report.known += known.size;
    const prepared = await prepareAll(
      migration,
      entries.filter(({ key }) => !known.has(key)),
      report,
    );
    if (prepared.length > 0 && !migration.options.isDryRun)
      await transaction(db, (trx) => insertAll(trx, migration, prepared));
    countAll(migration, prepared, report);
    migration.progress(report);
  }
}

async function prepareAll(
  migration: Migration,
  entries: readonly Entry[],
  report: CollectionReport,
): Promise<Prepared[]> {
  const images = await imagesOf(migration, entries);
  const prepared: Prepared[] = [];
  for (const { key, doc } of entries) {
    const label = `annotation ${key}`;
    const image = images.get(keyOf(doc.image_id) ?? "");
    if (!image) {
      report.skip(label, "belongs to an image that is gone from the old database, or was skipped");
      continue;
    }
    const categoryKey = keyOf(doc.category_id) ?? NO_CATEGORY;
    if (!migration.categories.has(categoryKey)) await addPlaceholder(migration, categoryKey);
    const category = migration.categories.get(categoryKey);
    if (!category) continue;
    const annotation = await readAnnotation(doc, image, category, (text) => report.note(label, text));
    prepared.push({ key, doc, imageId: image.id, categoryId: category.id, annotation });
  }
  return prepared;
}

/** Returns the images of annotations by their old ids. */
async function imagesOf(
  { db, source, imagined }: Migration,
  entries: readonly Entry[],
): Promise<Map<string, ImageOfAnnotation>> {
  const keys = [...new Set(entries.flatMap(({ doc }) => keyOf(doc.image_id) ?? []))];
  const rows = await db
    .selectFrom("migrated_rows as m")
    .innerJoin("images as i", "i.id", "m.new_id")
    .select(["m.old_id", "m.details", "i.id", "i.width", "i.height", "i.orientation"])
    .where("m.source", "=", source.id)
    .where("m.collection", "=", "image_model")
    .where("m.old_id", "=", sql<string>`any(${keys}::text[])`)
    .execute();
  const found = new Map(
    rows.map(({ old_id, details, ...image }): [string, ImageOfAnnotation] => {
      const { width, height, upright } = details;
      const old = typeof width === "number" && typeof height === "number" ? { width, height } : undefined;
      return [old_id, { ...image, old, isUpright: upright === true }];
    }),
  );
  for (const key of keys) {
    const image = imagined.get(key);
    if (image) found.set(key, image);
  }
  return found;
}

async function insertAll(trx: Transaction<Schema>, migration: Migration, prepared: readonly Prepared[]): Promise<void> {
  const { source, users } = migration;
  const imageIds = [...new Set(prepared.map(({ imageId }) => imageId))].sort((a, b) => a - b);
  await sql`select from images where id = any(${imageIds}::int[]) order by id for update`.execute(trx);
  const ids = await idsFor(
    trx,
    source,
    "annotation_model",
    prepared.map(({ key }) => key),
  );
  const texts = prepared.map((each, i) => JSON.stringify(rowOf(migration, each, ids[i]!)));
  for (const slice of slicesOf(texts)) await insertMigratedAnnotations(trx, `[${slice.join(",")}]`);
  await storeSessions(
    trx,
    source,
    users,
    prepared.map(({ key, imageId, annotation }) => ({
      collection: "annotation_model",
      key,
      imageId,
      annotationUuid: uuidOf(migration, key),
      events: annotation.events,
    })),
  );
  await rememberRows(
    trx,
    source,
    "annotation_model",
    prepared.map(({ key }, i) => ({ key, id: ids[i]! })),
  );
  await recountImages(trx, imageIds);
  await trx
    .updateTable("images")
    .set({ revision: sql`revision + 1`, reload_revision: sql`revision + 1` })
    .where("id", "=", sql<number>`any(${imageIds}::int[])`)
    .execute();
}

const uuidOf = ({ source }: Migration, key: string): string => uuidFrom(source.id, "annotation_model", key);

function rowOf(migration: Migration, { key, doc, imageId, categoryId, annotation }: Prepared, id: number) {
  const { events, holes: _, ...content } = annotation;
  const [first] = events.map(({ startedAt }) => startedAt.getTime()).sort((a, b) => a - b);
  return {
    id,
    uuid: uuidOf(migration, key),
    image_id: imageId,
    category_id: categoryId,
    ...content,
    ...migration.users.creator(textOf(doc.creator)?.slice(0, 100)),
    deleted_at: deletionOf(migration, doc)?.toISOString() ?? null,
    created_at: first === undefined ? null : new Date(first).toISOString(),
  };
}

const deletionOf = ({ now }: Migration, doc: Doc): Date | undefined =>
  flagOf(doc.deleted) ? (dateOf(doc.deleted_date) ?? now) : undefined;

function* slicesOf(texts: readonly string[]): Generator<string[]> {
  let slice: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (slice.length > 0 && length + text.length > STATEMENT_LENGTH) {
      yield slice;
      slice = [];
      length = 0;
    }
    slice.push(text);
    length += text.length;
  }
  if (slice.length > 0) yield slice;
}

function countAll({ report: all, users }: Migration, prepared: readonly Prepared[], report: CollectionReport): void {
  report.created += prepared.length;
  for (const { key, doc, annotation } of prepared) {
    all.count("annotations in the trash", flagOf(doc.deleted) ? 1 : 0);
    all.count("holes", annotation.holes);
    all.count("annotations with holes", annotation.holes > 0 ? 1 : 0);
    all.count("sessions of work on annotations", annotation.events.length);
    const creator = textOf(doc.creator);
    if (creator && creator !== "system" && !users.named(creator))
      report.note(`annotation ${key}`, "has a creator who has no account any more: the name is kept");
  }
}
