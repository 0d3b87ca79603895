import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Adds all columns that filters use to the indices of image lists, so that a page needs only an index scan: images that
 * a filter excludes are not read. Three times as fast on 100,000 images (docs/performance.md).
 */
const statements = [
  `drop index images_by_file_name, images_by_path, images_by_id, images_by_annotated, images_by_folder`,
  `create index images_by_file_name on images (dataset_id, file_name, id)
    include (folder, annotated) where deleted_at is null`,
  `create index images_by_path on images (dataset_id, path, id)
    include (folder, file_name, annotated) where deleted_at is null`,
  `create index images_by_id on images (dataset_id, id)
    include (folder, file_name, annotated) where deleted_at is null`,
  `create index images_by_annotated on images (dataset_id, annotated, file_name, id)
    include (folder) where deleted_at is null`,
  `create index images_by_folder on images (dataset_id, folder, file_name, id)
    include (annotated) where deleted_at is null`,
];

export const listIndices: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
