import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema";

/** Changes fewer than this leave the plans as good as they were. */
const FEW_ROWS = 1_000;

/**
 * Counts the values that the database's plans for annotations, and for pictures by category, are made from, after many
 * rows were written. A server does so by itself, but up to a minute later, and until then what reads the new rows may
 * take several times as long.
 */
export async function analyzeAnnotations(db: Kysely<Schema>, changedRows: number): Promise<void> {
  if (changedRows < FEW_ROWS) return;
  await sql`analyze annotations`.execute(db);
  await sql`analyze images (annotated, categories)`.execute(db);
}
