import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Json } from "../../../shared/entities/scalars";
import type { CurrentUser } from "../../base/permissions";
import { listCategories } from "../../db/rows/categories";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { defineKeypoints } from "../imports/match/defineKeypoints";
import type { CategoryMatch } from "../imports/match/matchCategories";
import { notifyMatches } from "../imports/match/notifyMatches";
import { currentUserById, type ImportTools, loadImport, matchesIn } from "../imports/store/importRow";
import { restoreRows } from "../imports/store/showImport";

/**
 * Restores an undone import: its categories, their keypoints and their entries in the dataset's list, and the
 * annotations that undoing it deleted. Continues after a crash. Cannot be cancelled, since an import restored in part
 * would be worse. Undoing it again deletes the same annotations.
 */
export async function redoImport(tools: ImportTools, importId: number, userId: number | null): Promise<Json> {
  const { db, live, progress, info } = tools;
  const row = await loadImport(db, importId);
  if (row.purged_at || (row.state !== "undone" && row.state !== "complete"))
    throw new Error("The import no longer exists.");
  const user = await currentUserById(db, userId);
  const matches = matchesIn(row);
  await restoreCategories(db, matches);
  for (const match of matches) match.revision = await transaction(db, (trx) => restoreDefinition(trx, user, match));
  await transaction(db, (trx) => relistCategories(trx, row.dataset_id, matches));
  await notifyMatches(tools, row, matches);
  const options = { db, live, importId, datasetId: row.dataset_id };
  await restoreRows({
    ...options,
    onImages: (done, total) => progress((95 * done) / Math.max(1, total)),
  });
  const restored = await countRestored(db, importId);
  const { undone: _, ...report } = row.report;
  await db
    .updateTable("imports")
    .set({
      state: "complete",
      undone_at: null,
      undone_by: null,
      report: JSON.stringify({ ...report, categories: matches as unknown as Json }),
    })
    .where("id", "=", importId)
    .execute();
  info(`${restored} annotations restored`);
  if (row.report.has_image_keys)
    info("Other image data of the file (license, URLs, …) is not restored. Import the file again to get it back.");
  return { restored };
}

/** Counts the annotations of an import that are as it stored them, those restored before a crash included. */
async function countRestored(db: Kysely<Schema>, importId: number): Promise<number> {
  const { total } = await db
    .selectFrom("annotations")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("import_id", "=", importId)
    .where("deleted_at", "is", null)
    .whereRef("revision", "=", "import_revision")
    .executeTakeFirstOrThrow();
  return total;
}

async function restoreCategories(db: Kysely<Schema>, matches: readonly CategoryMatch[]): Promise<void> {
  const made = matches.filter(({ how }) => how !== "found" && how !== "defined").map(({ id }) => id);
  await db
    .updateTable("categories")
    .set({ deleted_at: null, deleted_by: null })
    .where("id", "=", sql<number>`any(${made}::int[])`)
    .where("deleted_at", "is not", null)
    .execute();
}

/** Adds the import's categories to the dataset's list again, except those deleted for good in the meantime. */
async function relistCategories(
  trx: Kysely<Schema>,
  datasetId: number,
  matches: readonly CategoryMatch[],
): Promise<void> {
  const added = matches.filter((match) => match.added).map(({ id }) => id);
  const existing = await trx
    .selectFrom("categories")
    .select("id")
    .where("id", "=", sql<number>`any(${added}::int[])`)
    .execute();
  await listCategories(
    trx,
    datasetId,
    existing.map(({ id }) => id),
  );
}

const definition = z.object({
  keypoint_labels: z.array(z.string()),
  keypoint_edges: z.array(z.tuple([z.number(), z.number()])),
  keypoint_colors: z.array(z.string()),
});

/**
 * Restores the keypoints that a category got from the file, as recorded in its history, unless the category has other
 * keypoints now. Returns the category's revision after the import.
 */
async function restoreDefinition(
  trx: Kysely<Schema>,
  user: CurrentUser,
  { id, how, revision }: CategoryMatch,
): Promise<number | undefined> {
  if (how !== "defined" || revision === undefined) return revision;
  const category = await trx
    .selectFrom("categories")
    .select(["id", "keypoints", "revision"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!category || category.keypoints.labels.length > 0) return revision;
  const entry = await trx
    .selectFrom("edit_history")
    .select("fields")
    .where("subject", "=", "category")
    .where("subject_id", "=", String(id))
    .where("revision", "=", revision)
    .executeTakeFirst();
  const fields = definition.safeParse(entry?.fields).data;
  if (!fields) return revision;
  const { keypoint_labels: labels, keypoint_edges: edges, keypoint_colors: colors } = fields;
  return (await defineKeypoints(trx, user, category, { labels, edges, colors })).revision;
}
