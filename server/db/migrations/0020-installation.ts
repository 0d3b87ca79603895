import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Gives the database an id. It changes with a restore, after which the same row ids may refer to different images and
 * users. `origin`: `updated` for a database from before ids, whose open pages have none. `stamp` identifies the
 * transaction, table and database that wrote the row, see db/installation.ts.
 */
export const installation: Migration = {
  async up(db) {
    await sql`
      create table installation (
        one boolean primary key default true check (one),
        id uuid not null default gen_random_uuid(),
        origin text not null check (origin in ('new', 'updated', 'restored')),
        stamp text not null
      )`.execute(db);
    await sql`
      insert into installation (origin, stamp)
      select case when exists (select from users) then 'updated' else 'new' end,
        concat_ws('.', pg_current_xact_id()::xid, 'installation'::regclass::oid, d.oid)
      from pg_database d where d.datname = current_database()`.execute(db);
  },
};
