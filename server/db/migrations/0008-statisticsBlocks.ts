import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Creates a table of sums over blocks of a dataset's images (ids from `first` up to, but not including, `behind`),
 * valid while `mark` matches: see server/features/statistics. Without a primary key, so that backups leave it out: the
 * sums can be computed again.
 */
const statements = [
  `create table statistics_blocks (
    dataset_id integer not null references datasets on delete cascade,
    first integer not null,
    behind integer not null,
    mark text not null,
    sums jsonb not null
  )`,
  `create unique index statistics_blocks_place on statistics_blocks (dataset_id, first, behind)`,
];

export const statisticsBlocks: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
