import { type Kysely, sql } from "kysely";
import type { Json } from "../../../../shared/entities/scalars";
import type { Schema } from "../../../db/schema";
import { notifyMatches } from "../match/notifyMatches";
import { currentUserById, type ImportTools, loadImport, matchesIn } from "../store/importRow";
import { showRows, trashRows } from "../store/showImport";
import { removeDefinitions } from "./removeDefinitions";
import { removeImageKeys } from "./removeImageKeys";
import { trashCategories } from "./trashCategories";
import { unlistCategories } from "./unlistCategories";

/** Maximum annotations listed by id in the result. */
const MAX_LISTED = 1000;

/**
 * Undoes an import. Moves its annotations to the trash, except those changed since, which stay and are listed. Also
 * removes unused categories that it created or restored, the keypoints that it gave to other categories, and the image
 * keys from the file. Resumes after a kill.
 */
export async function undoImport(tools: ImportTools, importId: number, userId: number | null): Promise<Json> {
  const { db, live, progress, info } = tools;
  const row = await loadImport(db, importId);
  const user = await currentUserById(db, userId);
  if (row.state !== "complete" && row.state !== "undone") throw new Error("The import is not complete.");
  const where = { db, live, importId, datasetId: row.dataset_id };
  await showRows(where);
  await db
    .updateTable("imports")
    .set({ state: "undone", undone_at: row.undone_at ?? new Date(), undone_by: row.undone_by ?? user.id })
    .where("id", "=", importId)
    .execute();
  await trashRows({ ...where, onImages: (done, total) => progress((95 * done) / Math.max(1, total)) }, user.id);

  const matches = matchesIn(row);
  const created = matches.filter(({ how }) => how !== "found" && how !== "defined");
  const removed = await trashCategories(db, user.id, created);
  await unlistCategories(db, row.dataset_id, matches);
  await removeDefinitions(db, user, matches);
  await notifyMatches(tools, row, matches);
  if (row.report.has_image_keys) await removeImageKeys(db, row.dataset_id);
  const kept = await keptRows(db, importId);
  const undone = await countUndone(db, importId);
  const result = { removed: undone, kept: kept.total, kept_annotations: kept.ids, categories_removed: removed };
  await db
    .updateTable("imports")
    .set({ report: JSON.stringify({ ...row.report, undone: result }) })
    .where("id", "=", importId)
    .execute();
  info(`${undone} annotations removed, ${kept.total} kept because they were changed after the import`);
  return result;
}

async function keptRows(db: Kysely<Schema>, importId: number): Promise<{ total: number; ids: number[] }> {
  const { rows } = await sql<{ id: number; total: number }>`
    select id, count(*) over () as total from annotations
    where import_id = ${importId} and deleted_at is null order by id limit ${MAX_LISTED}`.execute(db);
  return { total: rows[0]?.total ?? 0, ids: rows.map(({ id }) => id) };
}

async function countUndone(db: Kysely<Schema>, importId: number): Promise<number> {
  const { total } = await db
    .selectFrom("annotations")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("import_id", "=", importId)
    .where("deleted_at", "is not", null)
    .executeTakeFirstOrThrow();
  return total;
}
