import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Creates a table of category ids reserved for users. Browsers use them for categories that are created while the
 * server cannot be reached.
 */
export const reservedCategoryIds: Migration = {
  async up(db) {
    await sql`
      create table reserved_category_ids (
        id integer primary key,
        user_id integer not null references users on delete cascade
      )`.execute(db);
    await sql`create index reserved_category_ids_user on reserved_category_ids (user_id)`.execute(db);
  },
};
