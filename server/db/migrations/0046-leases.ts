import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Adds the leases of the queue and the datasets' settings of it (decision 147). Leases have no primary key, since they
 * are not backed up, and refer to nothing: one of a deleted image or user ends by itself.
 */
const statements = [
  `create table image_leases (
    image_id integer not null,
    dataset_id integer not null,
    user_id integer not null,
    renewed_at timestamptz not null default now()
  )`,
  `create unique index image_leases_image on image_leases (image_id)`,
  `create index image_leases_dataset on image_leases (dataset_id)`,
  `create index image_leases_user on image_leases (user_id, dataset_id)`,
  `alter table datasets
    add column queue_order text not null default 'list' check (queue_order in ('list', 'smart')),
    add column queue_assigned_only boolean not null default false`,
];

export const leases: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
