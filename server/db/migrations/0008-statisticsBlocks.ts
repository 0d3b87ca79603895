import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Sums over blocks of a dataset's images (ids from `first` to before `behind`), kept while `mark` is theirs: see
 * server/features/statistics. Without a primary key, so that backups leave out what can be added up again.
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
