import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Adds attributes to annotations, and their definitions to categories. Moves values that were imported earlier out of
 * the unknown keys.
 */
export const attributes: Migration = {
  async up(db) {
    await sql`alter table categories add column attributes jsonb not null default '[]'`.execute(db);
    await sql`alter table annotations add column attributes jsonb`.execute(db);
    await sql`update annotations set attributes = extra -> 'attributes', extra = nullif(extra - 'attributes', '{}')
      where jsonb_typeof(extra -> 'attributes') = 'object'`.execute(db);
  },
};
