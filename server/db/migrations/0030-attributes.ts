import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Attributes of annotations, and their definitions by category. Values that were imported before are moved here from the
 * unknown keys, where exports took them from.
 */
export const attributes: Migration = {
  async up(db) {
    await sql`alter table categories add column attributes jsonb not null default '[]'`.execute(db);
    await sql`alter table annotations add column attributes jsonb`.execute(db);
    await sql`update annotations set attributes = extra -> 'attributes', extra = nullif(extra - 'attributes', '{}')
      where jsonb_typeof(extra -> 'attributes') = 'object'`.execute(db);
  },
};
