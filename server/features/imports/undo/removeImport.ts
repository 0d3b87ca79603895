import { type Kysely, sql } from "kysely";
import { Pace } from "../../../db/pace";
import type { Schema } from "../../../db/schema";
import { isTransient } from "../../../queue/taskFailure";
import { PAGE_ROWS } from "../../annotations/rows/annotationPages";
import type { CategoryMatch } from "../match/matchCategories";
import type { ImportTools } from "../store/importRow";
import { findCurrentUser, loadImport, matchesIn, settle } from "../store/importRow";
import { removeDefinitions } from "./removeDefinitions";
import { trashCategories } from "./trashCategories";
import { unlistCategories } from "./unlistCategories";

/**
 * Returns true if an import stopped by `error` will not resume: its file is malformed or it was cancelled. Returns
 * false if the server is stopping, another worker took over, or the database is unreachable.
 */
export async function isAbandoned({ db, taskId, signal }: ImportTools, error: unknown): Promise<boolean> {
  if (!signal.aborted) return !isTransient(error);
  const task = await db.selectFrom("tasks").select("cancel_requested").where("id", "=", taskId).executeTakeFirst();
  return task?.cancel_requested ?? false;
}

/** Removes everything that an incomplete import has stored. None of it was visible. */
export async function removeImport(db: Kysely<Schema>, importId: number): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("imports")
    .set({ state: "failed" })
    .where("id", "=", importId)
    .where("state", "in", ["running", "failed"])
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const pace = new Pace({ first: 200, least: 50, most: PAGE_ROWS });
  while (await removeSome(db, importId, pace));
  const row = await loadImport(db, importId);
  const { dataset_id, user_id } = row;
  const matches = matchesIn(row);
  await removeCategories(db, dataset_id, matches);
  const restored = matches.filter(({ how }) => how === "restored");
  await trashCategories(db, user_id, restored);
  const user = await findCurrentUser(db, user_id);
  if (user) await removeDefinitions(db, user, matches);
  await settle(db, importId);
}

/** Ends the import of a task that was cancelled in the queue, before it was run. Other tasks have no import. */
export async function removeUnstarted(db: Kysely<Schema>, taskId: number): Promise<void> {
  const found = await db.selectFrom("imports").select("id").where("task_id", "=", taskId).executeTakeFirst();
  if (found) await removeImport(db, found.id);
}

async function removeSome(db: Kysely<Schema>, importId: number, pace: Pace): Promise<boolean> {
  const rows = pace.amount;
  const { numAffectedRows } = await pace.run(db, rows, (one) =>
    sql`
      delete from annotations where id in (
        select id from annotations where import_id = ${importId} and not visible order by import_item limit ${rows})
    `.execute(one),
  );
  return Number(numAffectedRows) === rows;
}

/**
 * Deletes the categories that the import created and that no annotation or tick uses. Removes the others from the
 * dataset's list unless they are used in the dataset.
 */
async function removeCategories(
  db: Kysely<Schema>,
  datasetId: number,
  matches: readonly CategoryMatch[],
): Promise<void> {
  const made = matches.filter(({ how }) => how === "created" || how === "own").map(({ id }) => id);
  await sql`
    delete from categories c where c.id = any(${made}::int[])
      and not exists (select from annotations where category_id = c.id)
      and not exists (select from images where labels @> array[c.id])`.execute(db);
  await unlistCategories(db, datasetId, matches);
}
