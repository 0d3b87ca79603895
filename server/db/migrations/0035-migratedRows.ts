import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Creates a table of what `npm run migrate` has stored, by the ids of the old database, so that the command can be
 * repeated. `source` stands for one old installation. Ids are text, since users have ObjectIds. Without references, so
 * that what was deleted since is not migrated again.
 */
const statements = [
  `create table migrated_rows (
    source uuid not null,
    collection text not null,
    old_id text not null,
    new_id integer not null,
    details jsonb not null default '{}',
    primary key (source, collection, old_id)
  )`,
  `create index migrated_rows_marks on migrated_rows (old_id) where collection = 'mark'`,
];

export const migratedRows: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
