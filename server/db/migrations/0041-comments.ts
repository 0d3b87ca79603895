import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Adds comments, what users have read of their threads, and each image's number of open threads (decision 140). A
 * comment names its annotation by uuid, without a reference: the place of a thread outlives the annotation.
 */
const statements = [
  `create table comments (
    id serial primary key,
    uuid uuid not null unique,
    image_id integer not null references images on delete cascade,
    thread uuid,
    annotation_uuid uuid,
    box jsonb,
    x double precision,
    y double precision,
    text text not null,
    mentions integer[] not null default '{}',
    user_id integer references users on delete set null,
    user_name text not null,
    revision integer not null default 1,
    created_at timestamptz not null,
    edited_at timestamptz,
    resolved_at timestamptz,
    resolved_by text,
    deleted_at timestamptz,
    check ((thread is null) = (x is not null and y is not null))
  )`,
  `create index comments_image on comments (image_id)`,
  `create index comments_thread on comments (thread)`,
  `create index comments_user on comments (user_id)`,
  `create index comments_age on comments (created_at)`,
  // The thread is the uuid of its first comment. Comments up to this time are read.
  `create table comment_reads (
    user_id integer not null references users on delete cascade,
    thread uuid not null references comments (uuid) on delete cascade,
    read_until timestamptz not null,
    primary key (user_id, thread)
  )`,
  `create index comment_reads_thread on comment_reads (thread)`,
  `alter table images add column open_threads integer not null default 0`,
  `create index images_open_threads on images (dataset_id) where open_threads > 0`,
  `alter table edit_history drop constraint edit_history_subject_check`,
  // Earlier rows need no check, which would read a whole history.
  `alter table edit_history add constraint edit_history_subject_check
    check (subject in ('annotation', 'image', 'category', 'comment')) not valid`,
];

export const comments: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
