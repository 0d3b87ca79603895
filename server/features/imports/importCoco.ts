import type { Kysely } from "kysely";
import type { Json } from "../../../shared/entities/scalars";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { visibleDataset } from "../access/access";
import { categoriesInto } from "./match/categoryWriter";
import { type CategoryMatch, matchCategories } from "./match/matchCategories";
import { type Report, skippedOf, publicReport } from "./read/importReport";
import type { ReadCategory } from "./read/readCategory";
import { annotationsInto } from "./store/annotationWriter";
import {
  currentUserById,
  type ImportPayload,
  type ImportRow,
  type ImportTools,
  loadImport,
  matchesIn,
  settle,
} from "./store/importRow";
import { keepImageKeys } from "./store/keepImageKeys";
import { READING, readCocoFile } from "./store/readCocoFile";
import { showRows } from "./store/showImport";
import { removeImport, wasGivenUp } from "./undo/removeImport";

/** Share of the work, in percent of the progress bar; reading comes before. */
const SHOWING = 14;

/** Categories matched in one transaction. */
const CATEGORIES_AT_ONCE = 100;

/**
 * Brings the annotations of an uploaded file into a dataset. The file is read twice, since annotations may stand
 * before what they refer to. All rows are stored before any is shown; a kill at any moment does no harm: the task goes
 * on where it was. Returns the report. Throws an Error with a message for users, with nothing left behind, on a file
 * that is unsound.
 */
export async function importCoco(tools: ImportTools, payload: ImportPayload): Promise<Json> {
  const { import_id: importId, upload } = payload;
  const row = await loadImport(tools.db, importId);
  if (row.state === "running") await bringIn(tools, row, payload);
  else if (row.state !== "complete") throw new Error("The import was given up.");
  const { state, report } = await loadImport(tools.db, importId);
  if (state !== "complete") throw new Error("The import was given up.");
  await showAll(tools, row, upload, report);
  return publicReport(report);
}

async function bringIn(tools: ImportTools, row: ImportRow, payload: ImportPayload): Promise<void> {
  try {
    const report = await storeAll(tools, row, payload);
    tools.signal.throwIfAborted();
    await complete(tools.db, row, report);
  } catch (error) {
    if (await wasGivenUp(tools, error)) {
      await removeImport(tools.db, row.id);
      await tools.files.transfers.removeUpload(payload.upload);
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

async function storeAll(
  tools: ImportTools,
  row: ImportRow,
  { upload, format, pixels }: ImportPayload,
): Promise<Report> {
  const { db } = tools;
  const user = await currentUserById(db, row.user_id);
  await visibleDataset(db, user, row.dataset_id);
  tools.info(`Beginning Import (${format} Format) of ${row.file_name}`);
  const report = await readCocoFile(tools, {
    datasetId: row.dataset_id,
    upload,
    pixels,
    matchCategories: (categories) => matchAll(tools, row, user, categories),
    writer: annotationsInto(db, row.id, user),
  });
  const { created, matched } = report;
  tools.info(`${created} annotations created, ${matched} exist already, ${skippedOf(report)} skipped`);
  return report;
}

/**
 * In several transactions, since a file may have thousands. What an earlier try decided is kept in the import's report.
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

/**
 * Work that follows the decision and can no longer be cancelled: half of it would be worse than all. Harmless when it
 * was done before, wholly or in part.
 */
async function showAll(tools: ImportTools, row: ImportRow, upload: string, report: Report): Promise<void> {
  const { db, live, progress, files } = tools;
  if (report.has_image_keys) await keepImageKeys(tools, row, upload);
  const where = { db, live, importId: row.id, datasetId: row.dataset_id };
  const onImages = (done: number, total: number) => progress(READING + (SHOWING * done) / Math.max(1, total));
  await showRows({ ...where, onImages }, Number(report.created ?? 0));
  await settle(db, row.id);
  await files.transfers.removeUpload(upload);
}
