import type { Insertable } from "kysely";
import { MAX_CATEGORY_NAME } from "../../../../shared/entities/category";
import { type KeypointDefinition, NO_KEYPOINTS } from "../../../../shared/entities/keypoint";
import { KeypointError, toStored } from "../../../../shared/rules/keypointDefinition";
import { foldName } from "../../../../shared/text/fold";
import type { Schema } from "../../../db/schema";
import { transaction } from "../../../db/transaction";
import { type ReadCategory, readCategory } from "../../imports/read/readCategory";
import { Unusable } from "../../imports/read/readItem";
import { batchesOf } from "../dump/batches";
import { type Doc, dateOf, flagOf, listOf, numberOf, textOf } from "../dump/values";
import { colorFor, colorOf, lineOf, metadataOf, type Note } from "../map/fields";
import { numberedName } from "../map/names";
import type { Migration } from "./context";
import { allKnownRows, idsFor, rememberRows } from "./ids";

type NewCategory = Insertable<Schema["categories"]>;

/** Migrates the categories. A name that its creator already uses in Limn gets a number. */
export async function storeCategories(migration: Migration): Promise<void> {
  const { db, source, categories, options, dump, users } = migration;
  const report = migration.report.of("category_model");
  const known = await allKnownRows(db, source, "category_model");
  const taken = await takenNames(migration);

  for await (const batch of batchesOf(dump, "category_model", report)) {
    for (const { key, doc } of batch) {
      const name = lineOf(doc.name, MAX_CATEGORY_NAME);
      const label = name || `category ${key}`;
      const note: Note = (text) => report.note(label, text);
      const read = readDefinition(doc, label, note);
      const stored = known.get(key);
      if (stored) {
        report.known++;
        const row = await db.selectFrom("categories").selectAll().where("id", "=", stored.id).executeTakeFirst();
        if (row) categories.set(key, { id: row.id, color: row.color, labels: labelsIn(row.keypoints, read) });
        continue;
      }
      const creator = users.creator(textOf(doc.creator)?.slice(0, 100));
      const nameOfCreator = textOf(doc.creator);
      if (creator.creator_id === null && nameOfCreator && nameOfCreator !== "system" && nameOfCreator !== "unknown")
        note("has a creator who has no account any more");
      if (!name) note("has no name");
      const free = numberedName(label, MAX_CATEGORY_NAME, (folded) => taken.has(`${creator.creator_id} ${folded}`));
      if (free !== label) note(`has a name that its creator uses already, and becomes ${free}`);
      if (creator.creator_id !== null) taken.add(`${creator.creator_id} ${foldName(free)}`);
      const keypoints = definitionOf(read, note);
      const color = colorOf(doc.color) ?? colorFor(`category ${key}`);
      const row = {
        name: free,
        supercategory: lineOf(doc.supercategory, 200),
        color,
        metadata: JSON.stringify(metadataOf(doc.metadata, note)),
        keypoints: JSON.stringify(keypoints),
        ...creator,
        deleted_at: flagOf(doc.deleted) ? (dateOf(doc.deleted_date) ?? migration.now) : null,
      };
      const id = options.isDryRun ? -report.read : await insertCategory(migration, key, row);
      known.set(key, { id, details: {} });
      categories.set(key, { id, color, labels: labelsIn(keypoints, read) });
      report.created++;
      if (row.deleted_at) migration.report.count("categories in the trash", 1);
    }
    migration.progress(report);
  }
  await loadPlaceholders(migration, known);
}

/** Names of categories by creator, as `creator folded-name`. */
async function takenNames({ db }: Migration): Promise<Set<string>> {
  const rows = await db
    .selectFrom("categories")
    .select(["creator_id", "name"])
    .where("creator_id", "is not", null)
    .execute();
  return new Set(rows.map(({ creator_id, name }) => `${creator_id} ${foldName(name)}`));
}

/** Reads the keypoints of a category, with the rules of COCO files. */
function readDefinition(doc: Doc, name: string, note: Note): ReadCategory["keypoints"] {
  const edges = listOf(doc.keypoint_edges).map((edge) => listOf(edge).map((end) => numberOf(end)));
  const colors = listOf(doc.keypoint_colors).map((value) => colorOf(value) ?? "");
  const labels = listOf(doc.keypoint_labels).map((value) => textOf(value) ?? "");
  const item = { id: 1, name, keypoints: labels, skeleton: edges, keypoint_colors: colors };
  try {
    return readCategory(item, "", note).keypoints;
  } catch (error) {
    if (error instanceof Unusable) return null;
    throw error;
  }
}

function definitionOf(read: ReadCategory["keypoints"], note: Note): KeypointDefinition {
  if (!read) return NO_KEYPOINTS;
  try {
    return toStored(NO_KEYPOINTS, read);
  } catch (error) {
    if (!(error instanceof KeypointError)) throw error;
    note(`has keypoints that cannot be used: ${error.message}`);
    return NO_KEYPOINTS;
  }
}

/** Returns Limn's label ids in the order of the old labels; undefined for a label that is gone. */
function labelsIn({ labels, removed }: KeypointDefinition, read: ReadCategory["keypoints"]): (number | undefined)[] {
  const ids = new Map([...removed, ...labels].map(({ name, id }) => [name, id]));
  return (read?.labels ?? []).map((name) => ids.get(name));
}

/** Loads the categories that stand for missing ones. */
async function loadPlaceholders({ db, categories }: Migration, known: Map<string, { id: number }>): Promise<void> {
  for (const [key, { id }] of known) {
    if (categories.has(key) || id < 0) continue;
    const row = await db.selectFrom("categories").select(["id", "color"]).where("id", "=", id).executeTakeFirst();
    if (row) categories.set(key, { ...row, labels: [] });
  }
}

/** Inserts a category together with its old key. Returns its id. */
function insertCategory({ db, source }: Migration, key: string, row: Omit<NewCategory, "id">): Promise<number> {
  return transaction(db, async (trx) => {
    const [id = 0] = await idsFor(trx, source, "category_model", [key]);
    await trx
      .insertInto("categories")
      .values({ ...row, id })
      .execute();
    await rememberRows(trx, source, "category_model", [{ key, id }]);
    return id;
  });
}

/** Key of the category of annotations that have none. */
export const NO_CATEGORY = "none";

/**
 * Creates a category in the trash for annotations whose category is gone from the old database, so that they are kept.
 * It can be restored there, or deleted for good with them.
 */
export async function addPlaceholder(migration: Migration, key: string): Promise<void> {
  const { categories, options, report, now } = migration;
  const name = key === NO_CATEGORY ? "Without category" : `Category ${key}`.slice(0, MAX_CATEGORY_NAME);
  const color = colorFor(`category ${key}`);
  const row = { name, color, creator_id: null, creator_name: "system", deleted_at: now };
  const id = options.isDryRun ? -1_000_000 - categories.size : await insertCategory(migration, key, row);
  categories.set(key, { id, color, labels: [] });
  report
    .of("category_model")
    .note(name, "is gone from the old database, and was created in the trash for its annotations");
}
