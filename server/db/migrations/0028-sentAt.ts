import type { Migration } from "kysely";
import { sql } from "kysely";

/** Adds the time at which a scene was sent. Earlier scenes get the time of this migration. */
export const sentAt: Migration = {
  async up(db) {
    await sql`alter table sent_scenes add column sent_at timestamptz not null default now()`.execute(db);
  },
};
