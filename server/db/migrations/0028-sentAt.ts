import type { Migration } from "kysely";
import { sql } from "kysely";

/** Moment at which a scene was sent; for those sent before this migration, its own. */
export const sentAt: Migration = {
  async up(db) {
    await sql`alter table sent_scenes add column sent_at timestamptz not null default now()`.execute(db);
  },
};
