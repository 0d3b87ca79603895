import type { Kysely } from "kysely";
import type { Json } from "../../../shared/entities/scalars";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { editableDataset } from "../access/access";
import { categoriesInto } from "./match/categoryWriter";
import { type CategoryMatch, matchCategories } from "./match/matchCategories";
import { notifyMatches } from "./match/notifyMatches";
import { publicReport, type Report, skippedOf } from "./read/importReport";
import type { ReadCategory } from "./read/readCategory";
import { annotationsInto } from "./store/annotationWriter";
import { importImageKeys } from "./store/importImageKeys";
import {
  currentUserById,
  type ImportPayload,
  type ImportRow,
  type ImportTools,
  loadImport,
  matchesIn,
  settle,
} from "./store/importRow";
import { READING, readCocoFile } from "./store/readCocoFile";
import { showRows } from "./store/showImport";
import { isAbandoned, removeImport } from "./undo/removeImport";

/** Share of the progress bar for showing the rows, in percent. */
const SHOWING = 14;

/** Maximum categories matched in one transaction. */
const CATEGORIES_AT_ONCE = 100;

/**
 * Imports the annotations of an uploaded file into a dataset and returns the report. The file is read twice, since
 * annotations may precede the images and categories to which they refer. All rows are stored before any is shown. After
 * a kill at any moment, the task resumes where it stopped. Throws an Error whose message is shown to the user, and
 * removes everything it stored, if the file is malformed.
 */
export async function importCoco(tools: ImportTools, payload: ImportPayload): Promise<Json> {
  const { import_id: importId, upload } = payload;
  const row = await loadImport(tools.db, importId);
  if (row.state === "running") await storeImport(tools, row, payload);
  else if (row.state !== "complete") throw new Error("The import was stopped.");
  const { state, report } = await loadImport(tools.db, importId);
  if (state !== "complete") throw new Error("The import was stopped.");
  await showAll(tools, row, upload, report);
  return publicReport(report);
}

async function storeImport(tools: ImportTools, row: ImportRow, payload: ImportPayload): Promise<void> {
  try {
    tools.signal.throwIfAborted();
    const report = await storeAll(tools, row, payload);
    tools.signal.throwIfAborted();
    await complete(tools.db, row, report);
  } catch (error) {
    if (await isAbandoned(tools, error)) {
      await removeImport(tools.db, row.id);
      await tools.files.transfers.removeUpload(payload.upload);
    }
    throw error;
  }
}

/** Marks the import as complete. From here on it will be shown, even if this process dies. */
async function complete(db: Kysely<Schema>, row: ImportRow, report: Report): Promise<void> {
  await db
    .updateTable("imports")
    .set({ state: "complete", report: JSON.stringify(report) })
    .where("id", "=", row.id)
    .where("state", "=", "running")
    .execute();
}

async function storeAll(
  tools: ImportTools,
  row: ImportRow,
  { upload, format, pixels }: ImportPayload,
): Promise<Report> {
  const { db } = tools;
  const user = await currentUserById(db, row.user_id);
  await editableDataset(db, user, row.dataset_id);
  tools.info(`Importing ${row.file_name} in the format ${format}`);
  const report = await readCocoFile(tools, {
    datasetId: row.dataset_id,
    upload,
    pixels,
    matchCategories: (categories) => matchAll(tools, row, user, categories),
    writer: annotationsInto(db, row.id, user),
  });
  const { created, matched } = report;
  tools.info(`${created} annotations created, ${matched} already exist, ${skippedOf(report)} skipped`);
  return report;
}

/**
 * Matches the categories in several transactions, since a file may have thousands. Reuses the matches of an earlier
 * attempt from the import's report.
 */
async function matchAll(
  { db, signal }: ImportTools,
  row: ImportRow,
  user: CurrentUser,
  categories: readonly ReadCategory[],
): Promise<CategoryMatch[]> {
  let matches = matchesIn(row);
  while (matches.length < categories.length) {
    signal.throwIfAborted();
    const before = matches;
    matches = await transaction(db, async (trx) => {
      const writer = categoriesInto(trx, user, row.dataset_id);
      const matching = { trx, user, datasetId: row.dataset_id, writer };
      const all = [...before, ...(await matchCategories(matching, categories, before, CATEGORIES_AT_ONCE))];
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

/** Shows a complete import. Cannot be cancelled, since a partly shown import would be worse. May safely be repeated. */
async function showAll(tools: ImportTools, row: ImportRow, upload: string, report: Report): Promise<void> {
  const { db, live, progress, files } = tools;
  if (report.has_image_keys) await importImageKeys(tools, row, upload);
  const where = { db, live, importId: row.id, datasetId: row.dataset_id };
  const onImages = (done: number, total: number) => progress(READING + (SHOWING * done) / Math.max(1, total));
  await showRows({ ...where, onImages }, Number(report.created ?? 0));
  await notifyMatches(tools, row, matchesIn({ report }));
  await settle(db, row.id);
  await files.transfers.removeUpload(upload);
}
