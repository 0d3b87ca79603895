import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Creates a table of images before and after a bulk command (move, labels, marks): see server/features/bulk/before.ts.
 * Rows are kept for a day. Without a primary key, so that backups leave them out, and without references, so that
 * deleting an image does not search this table.
 */
const statements = [
  `create table images_before (
    change uuid not null,
    image_id integer not null,
    dataset_id integer not null,
    person_id integer not null,
    before jsonb not null,
    after jsonb not null,
    made_at timestamptz not null default now()
  )`,
  `create unique index images_before_place on images_before (change, image_id)`,
  `create index images_before_age on images_before (made_at)`,
];

export const imagesBefore: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
