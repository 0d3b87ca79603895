import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Stores long shapes, and the edits that changed them, without compression. PostgreSQL's compression saves a fifth of
 * the space of an outline's digits, but takes most of the time for storing an outline, during which the embedded
 * database runs no other query. Rows already stored remain compressed until they change.
 */
export const uncompressedShapes: Migration = {
  async up(db) {
    await sql`alter table annotations alter column shape set storage external`.execute(db);
    await sql`alter table edit_history alter column fields set storage external`.execute(db);
  },
};
