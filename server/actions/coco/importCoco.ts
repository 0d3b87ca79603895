import type { Kysely } from "kysely";
import type { Json } from "../../../shared/entities/scalars";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import type { Person } from "../../permissions";
import { visibleDataset } from "../access";
import { Tally } from "./importReport";
import { type ImportRow, type ImportTools, loadImport, personById, type Report, settle } from "./importRow";
import { keepImageKeys } from "./keepImageKeys";
import { type CategoryMatch, matchCategories } from "./matchCategories";
import type { FileCategory } from "./readAnnotation";
import { type Catalogue, readCatalogue } from "./readCatalogue";
import type { ReadCategory } from "./readCategory";
import type { FileId } from "./readItem";
import { removeImport, wasGivenUp } from "./removeImport";
import { showRows } from "./showImport";
import { storeAnnotations } from "./storeAnnotations";

/** Shares of the work, in percent of the progress bar. */
const CATALOGUE = 10;
const ANNOTATIONS = 75;
const SHOWING = 14;

/** Categories matched in one transaction. */
const CATEGORIES_AT_ONCE = 100;

/**
 * Brings the annotations of an uploaded COCO file into a dataset. The file is read twice, since annotations may stand
 * before what they refer to. All rows are stored before any is shown; a kill at any moment does no harm: the task goes on
 * where it was. Answers the report. Throws an Error for people, with nothing left behind, on a file that is unsound.
 */
export async function importCoco(tools: ImportTools, importId: number, upload: string): Promise<Json> {
  const row = await loadImport(tools.db, importId);
  if (row.state === "running") await bringIn(tools, row, upload);
  else if (row.state !== "complete") throw new Error("The import was given up.");
  const { state, report } = await loadImport(tools.db, importId);
  if (state !== "complete") throw new Error("The import was given up.");
  await showAll(tools, row, upload, report);
  return report;
}

async function bringIn(tools: ImportTools, row: ImportRow, upload: string): Promise<void> {
  try {
    const report = await storeAll(tools, row, upload);
    tools.signal.throwIfAborted();
    await complete(tools.db, row, report);
  } catch (error) {
    if (await wasGivenUp(tools, error)) {
      await removeImport(tools.db, row.id);
      await tools.files.transfers.removeUpload(upload);
    }
    throw error;
  }
}

/** The decision: from here on the import will be seen, whatever happens to this process. */
async function complete(db: Kysely<Schema>, row: ImportRow, report: Report): Promise<void> {
  await db
    .updateTable("imports")
    .set({ state: "complete", report: JSON.stringify(report) })
    .where("id", "=", row.id)
    .where("state", "=", "running")
    .execute();
}

async function storeAll(tools: ImportTools, row: ImportRow, upload: string): Promise<Report> {
  const { db, files, signal } = tools;
  const person = await personById(db, row.user_id);
  await visibleDataset(db, person, row.dataset_id);
  const bytes = Math.max(1, await files.transfers.uploadBytes(upload));
  const told = { images: new Tally(tools.warn), categories: new Tally(tools.warn), lists: new Tally(tools.warn) };
  const tallies = { skipped: new Tally(tools.warn), notes: new Tally(tools.info) };
  const file = { transfers: files.transfers, upload, signal };

  tools.info(`Beginning Import (COCO Format) of ${row.file_name}`);
  const catalogue = await readCatalogue({
    ...file,
    db,
    datasetId: row.dataset_id,
    ...told,
    onBytes: (read) => tools.progress((CATALOGUE * read) / bytes),
  });
  const matches = await matchAll(tools, row, person, catalogue.categories);
  tellCategories(tools, catalogue.categories, matches);
  const { matched } = await storeAnnotations({
    ...file,
    db,
    importId: row.id,
    person,
    pictures: catalogue.pictures,
    categories: categoriesById(catalogue.categories, matches),
    ...tallies,
    onBytes: (read) => tools.progress(CATALOGUE + (ANNOTATIONS * read) / bytes),
  });
  const all = [...Object.values(told), ...Object.values(tallies)];
  for (const tally of all) tally.tellRest();
  const created = await countRows(db, row.id);
  tools.info(`${created} annotations created, ${matched} exist already, ${tallies.skipped.total} skipped`);
  return {
    created,
    matched,
    skipped: tallies.skipped.counts(),
    notes: tallies.notes.counts(),
    images: { matched: countMatched(catalogue), ...told.images.counts() },
    categories: matches as unknown as Json,
    category_notes: told.categories.counts(),
    file_notes: told.lists.counts(),
    examples: Object.assign({}, ...all.map((tally) => tally.examples())),
    licenses: catalogue.licenses,
    has_image_keys: catalogue.hasImageKeys,
  };
}

/** In several transactions, since a file may have thousands. What an earlier try decided is kept in the import's report. */
async function matchAll(
  { db, signal }: ImportTools,
  row: ImportRow,
  person: Person,
  categories: readonly ReadCategory[],
): Promise<CategoryMatch[]> {
  let matches = (row.report.categories ?? []) as unknown as CategoryMatch[];
  while (matches.length < categories.length) {
    signal.throwIfAborted();
    const some = categories.slice(matches.length, matches.length + CATEGORIES_AT_ONCE);
    const before = matches;
    matches = await transaction(db, async (trx) => {
      const all = [...before, ...(await matchCategories(trx, person, row.dataset_id, some))];
      await trx
        .updateTable("imports")
        .set({ report: JSON.stringify({ categories: all }) })
        .where("id", "=", row.id)
        .execute();
      return all;
    });
  }
  return matches;
}

const HOW: Record<CategoryMatch["how"], string> = {
  found: "category found",
  defined: "category found; it takes the file's keypoints",
  restored: "category found in the bin, unused, and brought back",
  created: "category not found (creating a new one)",
  own: "category has other keypoints or lies in the bin (creating a new one)",
};

function tellCategories(
  { info }: ImportTools,
  categories: readonly ReadCategory[],
  matches: readonly CategoryMatch[],
): void {
  const ids = new Map<number, string>();
  categories.forEach(({ name }, i) => {
    const match = matches[i];
    if (!match) return;
    info(`${name} ${HOW[match.how]}`);
    const other = ids.get(match.id);
    if (other !== undefined) info(`${name} and ${other} of the file are one category here`);
    ids.set(match.id, name);
  });
}

function categoriesById(
  categories: readonly ReadCategory[],
  matches: readonly CategoryMatch[],
): Map<FileId, FileCategory> {
  return new Map(categories.map(({ fileId }, i) => [fileId, matches[i] as CategoryMatch]));
}

const countMatched = ({ pictures }: Catalogue): number =>
  [...pictures.values()].filter((picture) => typeof picture === "object").length;

async function countRows(db: Kysely<Schema>, importId: number): Promise<number> {
  const { total } = await db
    .selectFrom("annotations")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("import_id", "=", importId)
    .executeTakeFirstOrThrow();
  return total;
}

/**
 * What follows the decision, and is not cancelled any more: half of it would be worse than all. Harmless when it was done
 * before, wholly or in part.
 */
async function showAll(tools: ImportTools, row: ImportRow, upload: string, report: Report): Promise<void> {
  const { db, live, progress, files } = tools;
  if (report.has_image_keys) await keepImageKeys(tools, row, upload);
  const where = { db, live, importId: row.id, datasetId: row.dataset_id };
  const onImages = (done: number, total: number) =>
    progress(CATALOGUE + ANNOTATIONS + (SHOWING * done) / Math.max(1, total));
  await showRows({ ...where, onImages }, Number(report.created ?? 0));
  await settle(db, row.id);
  await files.transfers.removeUpload(upload);
}
