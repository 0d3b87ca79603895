import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Changed fields are kept as JSON text (json) like the shapes of migration 0018, not taken apart (jsonb): storing an
 * outline of 100,000 points took the embedded database half a second, most of it here. Rewrites the table once.
 */
export const historyAsText: Migration = {
  async up(db) {
    await sql`alter table edit_history alter column fields type json using fields::json`.execute(db);
  },
};
