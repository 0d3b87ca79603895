import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Adds the mark with which users declare images done (docs/decisions/0015-done-images.md). The indices of image lists
 * include it, like all columns that filters use: see 0002-listIndices.ts.
 */
const statements = [
  `alter table images add column done boolean not null default false`,
  `drop index images_by_file_name, images_by_path, images_by_id, images_by_annotated, images_by_folder`,
  `create index images_by_file_name on images (dataset_id, file_name, id)
    include (folder, annotated, done) where deleted_at is null`,
  `create index images_by_path on images (dataset_id, path, id)
    include (folder, file_name, annotated, done) where deleted_at is null`,
  `create index images_by_id on images (dataset_id, id)
    include (folder, file_name, annotated, done) where deleted_at is null`,
  `create index images_by_annotated on images (dataset_id, annotated, file_name, id)
    include (folder, done) where deleted_at is null`,
  `create index images_by_folder on images (dataset_id, folder, file_name, id)
    include (annotated, done) where deleted_at is null`,
];

export const doneImages: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
