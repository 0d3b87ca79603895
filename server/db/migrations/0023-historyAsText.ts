import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Stores changed fields as JSON text (json) instead of parsed (jsonb), like the shapes of migration 0018: storing a
 * shape of 100,000 points took the embedded database half a second, most of it for these fields. Rewrites the table
 * once.
 */
export const historyAsText: Migration = {
  async up(db) {
    await sql`alter table edit_history alter column fields type json using fields::json`.execute(db);
  },
};
