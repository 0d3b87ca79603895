import type { Migration } from "kysely";
import { sql } from "kysely";

/** Ids of categories that browsers may give to categories while they cannot reach the server, by user. */
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
