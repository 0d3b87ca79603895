import type { Migration } from "kysely";
import { sql } from "kysely";

/** Adds dataset versions: named moments of a dataset, whose COCO files never change. */
export const versions: Migration = {
  async up(db) {
    await sql`create table versions (
      id serial primary key,
      dataset_id integer not null references datasets on delete cascade,
      task_id integer unique references tasks on delete set null,
      name text not null,
      note text not null default '',
      file text not null,
      entries_file text not null,
      bytes bigint not null,
      sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
      images integer not null,
      annotations integer not null,
      categories jsonb not null default '[]' check (jsonb_typeof(categories) = 'array'),
      creator_name text not null,
      created_at timestamptz not null default now(),
      unique (dataset_id, name)
    )`.execute(db);
  },
};
