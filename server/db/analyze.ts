import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema";

/** Changes fewer than this leave the plans as good as they were. */
const FEW_ROWS = 1_000;

/** Columns that plans of annotations depend on. To compare values of the other columns takes twice as long as all of these. */
const COLUMNS = "image_id, category_id, import_id, import_item, visible, deleted_at, area, isbbox";
/** Of 300 times as many rows, a third of what is usual: on the embedded database everybody waits meanwhile. */
const TARGET = 30;

/**
 * Counts the values that the database's plans for annotations, and for images by category, are made from, after many
 * rows were written. A server does so by itself, but up to a minute later, and until then what reads the new rows may
 * take several times as long.
 */
export async function analyzeAnnotations(db: Kysely<Schema>, changedRows: number): Promise<void> {
  if (changedRows < FEW_ROWS) return;
  for (const statement of [`analyze annotations (${COLUMNS})`, "analyze images (annotated, categories)"])
    await db.transaction().execute(async (trx) => {
      await sql`set local default_statistics_target = ${sql.lit(TARGET)}`.execute(trx);
      await sql.raw(statement).execute(trx);
    });
}
