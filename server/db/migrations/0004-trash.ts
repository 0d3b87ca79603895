import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Adds the columns and indices of the trash. `purged_at`: time of the decision to delete for good, which a task carries
 * out; the row is hidden from all users, and a dataset's name is free again. `import_revision`: the last revision at
 * which an annotation is unchanged since its import, so that undoing and redoing an import affects only its own rows,
 * and never those that a user has changed or deleted.
 */
const statements = [
  `alter table datasets add column purged_at timestamptz`,
  `drop index datasets_name`,
  `create unique index datasets_name on datasets (lower(name)) where purged_at is null`,

  `alter table imports add column undone_at timestamptz,
    add column undone_by integer references users on delete set null,
    add column purged_at timestamptz`,
  `update imports set undone_at = now(), undone_by = user_id where state = 'undone'`,

  `alter table annotations add column import_revision integer not null default 1`,
  `update annotations a set import_revision = revision from imports i
    where i.id = a.import_id and i.state = 'undone' and a.deleted_at is not null and a.revision = 2 and not exists (
      select from edit_history h where h.subject = 'annotation' and h.subject_id = a.uuid::text)`,

  // Indices for listing the trash, newest first. Rows deleted together with their import are shown as one import.
  `create index annotations_deleted on annotations (deleted_at desc, id desc)
    where deleted_at is not null and visible and (import_id is null or revision <> import_revision)`,
  `create index images_deleted on images (deleted_at desc, id desc) where deleted_at is not null`,
];

export const trash: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
