import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Creates a table of boxes that a task has replaced with outlines: see server/features/boxes/boxesBefore.ts. The table
 * has no primary key, so that backups leave it out, and no references, so that deleting an image does not search it.
 */
const statements = [
  `create table boxes_before (
    change uuid not null,
    dataset_id integer not null,
    person_id integer not null,
    image_id integer not null,
    annotation_id integer not null,
    shape json,
    area double precision not null,
    bbox jsonb not null,
    revision integer not null,
    as_imported boolean not null,
    made_at timestamptz not null default now()
  )`,
  `create index boxes_before_place on boxes_before (change, image_id)`,
  `create index boxes_before_dataset on boxes_before (dataset_id)`,
  `create index boxes_before_age on boxes_before (made_at)`,
];

export const boxesBefore: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
