import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { ConfigurationError } from "../../base/errors";
import { analyzeAnnotations } from "../../db/analyze";
import type { Schema } from "../../db/schema";
import type { Files } from "../../files/files";
import { batchesOf } from "./dump/batches";
import { type Dump, IGNORED } from "./dump/openDump";
import { DumpError } from "./dump/readBson";
import { type Survey, surveyDump } from "./dump/survey";
import { keyOf, textOf } from "./dump/values";
import { imagePlace } from "./map/paths";
import { type Migration, type MigrationOptions, Users } from "./store/context";
import { CollectionReport, type MigrationReport } from "./store/report";
import { createSource, findSource, imaginedSource, type Source, storeMarks } from "./store/source";
import { storeAnnotations } from "./store/storeAnnotations";
import { storeCategories } from "./store/storeCategories";
import { storeDatasets } from "./store/storeDatasets";
import { storeExports } from "./store/storeExports";
import { storeImages } from "./store/storeImages";
import { storeUsers } from "./store/storeUsers";

export interface MigrateOptions extends MigrationOptions {
  db: Kysely<Schema>;
  files: Files;
  dump: Dump;
  report: MigrationReport;
  /** True to migrate the complete documents of a file that is cut off. */
  acceptDamage: boolean;
  /** True to go on although no file of an image is found. */
  acceptMissing: boolean;
  /** Called with the numbers of documents that were read, and of all documents of the collection. */
  onProgress(collection: string, read: number, total: number): void;
}

/**
 * Migrates a dump of COCO Annotator. May be stopped at any time and repeated: what is stored already is left as it is.
 * A later dump of the same installation adds what is new. Throws ConfigurationError before anything is written if the
 * dump is damaged, or if the folder of images is not the right one.
 */
export async function migrateDump(options: MigrateOptions): Promise<Source> {
  const { db, files, dump, report, isDryRun } = options;
  await requireFolder(options.images);
  const survey = await surveyDump(dump);
  if (survey.damage.length > 0 && !options.acceptDamage && !isDryRun) throw damaged(survey);
  for (const text of survey.damage) report.of("The dump").note(dump.database, text);
  if (!options.acceptMissing && !isDryRun) await requireSomeFile(dump, options.images);
  const source = await sourceOf(db, survey, isDryRun);
  const migration: Migration = {
    db,
    files,
    dump: acceptingDamage(dump),
    source,
    options,
    report,
    now: new Date(),
    users: new Users(),
    categories: new Map(),
    datasets: new Map(),
    imagined: new Map(),
    progress: ({ name, read }) => options.onProgress(name, read, survey.counts[name as keyof Survey["counts"]] ?? 0),
  };
  await storeUsers(migration);
  await storeCategories(migration);
  await storeDatasets(migration);
  await storeImages(migration);
  await storeAnnotations(migration);
  await storeExports(migration);
  for (const { name, count } of survey.others) report.of(name).skipAll(count, IGNORED[name] ?? UNKNOWN);
  if (!isDryRun) await analyzeAnnotations(db, report.of("annotation_model").created);
  return source;
}

const UNKNOWN = "belongs to a collection that Limn does not know";

async function requireFolder(path: string): Promise<void> {
  const state = await stat(path).catch(() => undefined);
  if (!state?.isDirectory()) throw new ConfigurationError(`The folder of images ${path} does not exist.`);
}

function damaged({ damage }: Survey): ConfigurationError {
  return new ConfigurationError(
    `${damage.join("\n")}\nNothing was written. Copy or make the dump again, or add --accept-damage to migrate the complete documents before the damage.`,
  );
}

/** Returns the dump, whose collections end where they are damaged. */
function acceptingDamage(dump: Dump): Dump {
  return {
    ...dump,
    async *documents(collection) {
      try {
        yield* dump.documents(collection);
      } catch (error) {
        if (!(error instanceof DumpError)) throw error;
      }
    },
  };
}

/** Number of images that are looked for before anything is written. */
const LOOKED_FOR = 1_000;

/** Throws ConfigurationError if the dump has images and none of the first has its file in the folder. */
async function requireSomeFile(dump: Dump, folder: string): Promise<void> {
  const counter = new CollectionReport("image_model", () => undefined);
  const datasets = new Map<string, { name: string; directory: string }>();
  for await (const batch of batchesOf(acceptingDamage(dump), "dataset_model", counter))
    for (const { key, doc } of batch)
      datasets.set(key, { name: textOf(doc.name) ?? "", directory: textOf(doc.directory) ?? "" });
  let example: string | undefined;
  let looked = 0;
  for await (const batch of batchesOf(acceptingDamage(dump), "image_model", counter)) {
    for (const { doc } of batch) {
      const dataset = datasets.get(keyOf(doc.dataset_id) ?? "");
      const place = dataset && imagePlace(dataset, textOf(doc.path) ?? "", textOf(doc.file_name) ?? "");
      if (!place) continue;
      for (const candidate of place.candidates)
        if ((await stat(join(folder, candidate)).catch(() => undefined))?.isFile()) return;
      example ??= join(folder, place.candidates[0] ?? "");
      looked++;
    }
    if (looked >= LOOKED_FOR) break;
  }
  if (example === undefined) return;
  throw new ConfigurationError(
    `No file of the first ${looked} images is in ${folder}: there is no ${example}. ` +
      "Give the folder that the old server had as /datasets, or add --accept-missing to migrate without files.",
  );
}

async function sourceOf(db: Kysely<Schema>, survey: Survey, isDryRun: boolean): Promise<Source> {
  const found = await findSource(db, survey);
  if (!found) return isDryRun ? imaginedSource(db, survey) : createSource(db, survey);
  if (!isDryRun) await storeMarks(db, found.id, survey);
  return found;
}
