import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema";

/** Number of changed rows below which query plans stay good enough. */
const FEW_ROWS = 1_000;

/**
 * Columns that query plans for annotations depend on. Sampling the other columns as well would take three times as
 * long.
 */
const COLUMNS = "image_id, category_id, import_id, import_item, visible, deleted_at, area, isbbox";
/**
 * Statistics target: samples 300 rows per unit. A third of the default, since sampling blocks all other queries of the
 * embedded database.
 */
const TARGET = 30;

/**
 * Updates the planner statistics of annotations, and of images by category, after a bulk write. A PostgreSQL server
 * does this by itself, but up to a minute later, and until then queries on the new rows may take several times as long.
 */
export async function analyzeAnnotations(db: Kysely<Schema>, changedRows: number): Promise<void> {
  if (changedRows < FEW_ROWS) return;
  for (const statement of [`analyze annotations (${COLUMNS})`, "analyze images (annotated, categories)"])
    await db.transaction().execute(async (trx) => {
      await sql`set local default_statistics_target = ${sql.lit(TARGET)}`.execute(trx);
      await sql.raw(statement).execute(trx);
    });
}
