import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Creates the tables of consensus (decision 145). Copies of images are images of datasets of their own, one for each
 * user who gets copies; these tables say what they are copies of. Comparisons have no primary key, so that backups
 * leave them out: they are computed again.
 */
const statements = [
  `create table consensus_datasets (
    dataset_id integer primary key references datasets on delete cascade,
    source_id integer not null references datasets on delete cascade,
    user_id integer references users on delete set null,
    user_name text not null
  )`,
  `create unique index consensus_datasets_source on consensus_datasets (source_id, user_id)`,
  `create index consensus_datasets_user on consensus_datasets (user_id)`,
  `create table consensus_copies (
    image_id integer primary key references images on delete cascade,
    original_id integer not null references images on delete cascade
  )`,
  `create index consensus_copies_original on consensus_copies (original_id)`,
  // Images whose annotations are known to be true, so that copies are scored against them.
  `create table consensus_truths (
    image_id integer primary key references images on delete cascade
  )`,
  // The last merge of an image, for undo: annotations with the revisions that the merge gave them.
  `create table consensus_merges (
    image_id integer primary key references images on delete cascade,
    user_id integer references users on delete set null,
    created jsonb not null,
    deleted jsonb not null,
    merged_at timestamptz not null default now()
  )`,
  `create index consensus_merges_user on consensus_merges (user_id)`,
  // b_id: another copy of the same image, or the original if it is known to be true.
  `create table consensus_comparisons (
    a_id integer not null references images on delete cascade,
    b_id integer not null references images on delete cascade,
    a_revision integer not null,
    b_revision integer not null,
    comparison json not null
  )`,
  `create unique index consensus_comparisons_pair on consensus_comparisons (a_id, b_id)`,
  `create index consensus_comparisons_second on consensus_comparisons (b_id)`,
];

export const consensus: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
