import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Creates a table of the scenes sent to older clients, with which the clients' saves of the whole scene are compared.
 */
export const sentScenes: Migration = {
  async up(db) {
    await sql`
      create table sent_scenes (
        id uuid primary key,
        user_id integer not null references users on delete cascade,
        client text not null,
        image_id integer not null references images on delete cascade,
        revision integer not null,
        sent jsonb not null,
        known jsonb not null default '{}',
        used_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index sent_scenes_client on sent_scenes (image_id, client, used_at)`.execute(db);
    await sql`create index sent_scenes_age on sent_scenes (used_at)`.execute(db);
  },
};
