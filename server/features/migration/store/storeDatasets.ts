import { sql, type Transaction } from "kysely";
import { datasetName } from "../../../../shared/entities/dataset";
import type { Json } from "../../../../shared/entities/scalars";
import { foldName } from "../../../../shared/text/fold";
import { HttpError } from "../../../base/errors";
import { listCategories } from "../../../db/rows/categories";
import type { Schema } from "../../../db/schema";
import { transaction } from "../../../db/transaction";
import { requireAllowedOrigin } from "../../datasets/annotateUrl";
import { batchesOf, type Entry } from "../dump/batches";
import { dateOf, flagOf, jsonOf, keyOf, listOf, textOf } from "../dump/values";
import { lineOf, metadataOf, type Note } from "../map/fields";
import { numberedName } from "../map/names";
import type { MigratedUser, Migration } from "./context";
import { allKnownRows, idsFor, type MigratedRow, rememberRows } from "./ids";

const MAX_NAME = 100;

/**
 * Migrates the datasets with their folders, members and lists of categories. A name that the owner already uses in Limn
 * gets a number. A dataset that was migrated before only gets the categories that are new in this dump.
 */
export async function storeDatasets(migration: Migration): Promise<void> {
  const { db, source, dump, datasets } = migration;
  const report = migration.report.of("dataset_model");
  const known = await allKnownRows(db, source, "dataset_model");
  const rows = await db.selectFrom("datasets").select(["id", "name", "folder", "owner_id", "purged_at"]).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const named = rows.filter(({ purged_at }) => !purged_at);
  const taken = new Set(named.map(({ owner_id, name }) => `${owner_id} ${foldName(name)}`));
  const licenses = await readLicenses(migration);

  for await (const batch of batchesOf(dump, "dataset_model", report)) {
    for (const entry of batch) {
      const { key, doc } = entry;
      const label = textOf(doc.name) || `dataset ${key}`;
      const old = { name: label, directory: textOf(doc.directory) ?? "" };
      const stored = known.get(key);
      if (stored) {
        report.known++;
        const row = byId.get(stored.id);
        if (row && !row.purged_at) datasets.set(key, { id: row.id, folder: row.folder, ...old });
        if (row && !row.purged_at) await addCategories(migration, entry, stored);
        continue;
      }
      const { id, folder } = await storeDataset(migration, entry, { label, taken, licenses });
      known.set(key, { id, details: {} });
      datasets.set(key, { id, folder, ...old });
      report.created++;
    }
    migration.progress(report);
  }
  // They are stored with each dataset.
  const ofLicenses = migration.report.of("license_model");
  if (report.created > 0) ofLicenses.created = licenses.length;
  else ofLicenses.known = licenses.length;
}

interface Options {
  label: string;
  /** Names of datasets by owner, as `owner folded-name`. */
  taken: Set<string>;
  licenses: Json[];
}

async function storeDataset(migration: Migration, { key, doc }: Entry, { label, taken, licenses }: Options) {
  const { db, source, files, options, now } = migration;
  const note: Note = (text) => migration.report.of("dataset_model").note(label, text);
  const owner = ownerOf(migration, textOf(doc.owner), note);
  const wanted = allowedName(label, key);
  const owned = (folded: string) => owner !== undefined && taken.has(`${owner.id} ${folded}`);
  const name = numberedName(wanted, MAX_NAME, owned);
  if (name !== label) note(`has a name that cannot be used for its owner, and becomes ${name}`);
  taken.add(`${owner?.id ?? null} ${foldName(name)}`);
  const categories = categoriesOf(migration, doc, note);
  const members = membersOf(migration, doc, owner, note);
  const row = {
    name,
    owner_id: owner?.id ?? null,
    annotate_url: annotateUrl(migration, textOf(doc.annotate_url), note),
    default_annotation_metadata: JSON.stringify(metadataOf(doc.default_annotation_metadata, note)),
    deleted_at: flagOf(doc.deleted) ? (dateOf(doc.deleted_date) ?? now) : null,
  };
  migration.report.count("memberships", members.length);
  if (row.deleted_at) migration.report.count("datasets in the trash", 1);
  if (options.isDryRun) return { id: -1, folder: "" };
  // Created before the row: after a kill in between, the same folder is found empty and used.
  const folder = await files.images.makeFolder(name, (wanted) => isFolderTaken(migration, wanted));
  const id = await transaction(db, async (trx) => {
    const [id = 0] = await idsFor(trx, source, "dataset_model", [key]);
    await trx
      .insertInto("datasets")
      .values({ id, folder, ...row })
      .execute();
    for (const { id: user_id } of members)
      await trx.insertInto("dataset_members").values({ dataset_id: id, user_id }).execute();
    await listCategories(
      trx,
      id,
      categories.map((each) => each.id),
    );
    if (licenses.length > 0) await storeLicenses(trx, id, licenses);
    const details = { categories: categories.map((each) => each.key) };
    await rememberRows(trx, source, "dataset_model", [{ key, id, details }]);
    return id;
  });
  return { id, folder };
}

/** Returns a name that datasets may have. */
function allowedName(label: string, key: string): string {
  const plain = lineOf(label.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " "), MAX_NAME).trim();
  return datasetName.safeParse(plain).success ? plain : `dataset ${key}`;
}

function ownerOf({ users }: Migration, name: string | undefined, note: Note): MigratedUser | undefined {
  const owner = users.named(name);
  if (!owner && name !== undefined) note("has an owner who has no account any more: only administrators see it");
  if (!owner && name === undefined) note("has no owner: only administrators see it");
  return owner;
}

function membersOf({ users }: Migration, doc: Entry["doc"], owner: MigratedUser | undefined, note: Note) {
  const members = new Map<number, MigratedUser>();
  for (const item of listOf(doc.users)) {
    const name = textOf(item);
    const user = users.named(name);
    if (!user) note(`has a member who has no account any more: ${name ?? "without a name"}`);
    else if (user.id !== owner?.id) members.set(user.id, user);
  }
  return [...members.values()];
}

function categoriesOf({ categories }: Migration, doc: Entry["doc"], note: Note): { key: string; id: number }[] {
  const keys = [...new Set(listOf(doc.categories).flatMap((item) => keyOf(item) ?? []))];
  const found = keys.flatMap((key) => {
    const category = categories.get(key);
    return category ? [{ key, id: category.id }] : [];
  });
  if (found.length < keys.length) note("lists categories that are gone from the old database");
  return found;
}

const MAX_URL = 2_000;

/** Returns an annotate URL that a dataset may have; "" for any other. Notes an origin that must still be allowed. */
function annotateUrl({ options }: Migration, given: string | undefined, note: Note): string {
  const url = given?.trim() ?? "";
  if (url === "") return "";
  if (url.length > MAX_URL || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    note("has an annotate URL that is not an http or https address, which was left out");
    return "";
  }
  try {
    requireAllowedOrigin(url, options.annotateOrigins);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    note("has an annotate URL whose origin must be added to ANNOTATE_ORIGINS before it is used");
  }
  return url;
}

async function isFolderTaken({ db }: Migration, folder: string): Promise<boolean> {
  const row = await db
    .selectFrom("datasets")
    .select("id")
    .where(sql<boolean>`fold_name(folder) = fold_name(${folder})`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lists the categories that an earlier dump did not have. Those that a user has removed since stay removed. */
async function addCategories(migration: Migration, { key, doc }: Entry, stored: MigratedRow): Promise<void> {
  const { db, source, options } = migration;
  const before = new Set(listOf(stored.details.categories));
  const added = categoriesOf(migration, doc, () => undefined).filter((each) => !before.has(each.key));
  if (added.length === 0 || options.isDryRun) return;
  await transaction(db, async (trx) => {
    await listCategories(
      trx,
      stored.id,
      added.map(({ id }) => id),
    );
    const categories = [...before, ...added.map((each) => each.key)];
    await trx
      .updateTable("migrated_rows")
      .set({ details: JSON.stringify({ categories }) })
      .where("source", "=", source.id)
      .where("collection", "=", "dataset_model")
      .where("old_id", "=", key)
      .execute();
  });
}

const MAX_LICENSES = 1_000;

/** Reads the licences, in the form in which COCO files have them. */
async function readLicenses(migration: Migration): Promise<Json[]> {
  const report = migration.report.of("license_model");
  const licenses: Json[] = [];
  for await (const batch of batchesOf(migration.dump, "license_model", report))
    for (const { key, doc } of batch) {
      const { _id, ...rest } = doc;
      if (licenses.length >= MAX_LICENSES) report.skip(key, "is beyond the first 1,000 licences");
      else licenses.push({ id: jsonOf(_id), ...(jsonOf(rest) as { [key: string]: Json }) });
    }
  return licenses;
}

/** Stores licences as an import does, so that exports of the dataset contain them. */
async function storeLicenses(trx: Transaction<Schema>, datasetId: number, licenses: Json[]): Promise<void> {
  const report = JSON.stringify({ settled: true, created: 0, licenses });
  await trx
    .insertInto("imports")
    .values({ dataset_id: datasetId, file_name: "COCO Annotator", state: "complete", report })
    .execute();
}
