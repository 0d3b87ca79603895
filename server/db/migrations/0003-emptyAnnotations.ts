import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Indexes empty annotations (category chosen, nothing drawn yet), of which there are few. Lists of unannotated images
 * query the empty annotations of a category instead of searching the annotations of each image
 * (server/features/images/imageList.ts).
 */
export const emptyAnnotations: Migration = {
  async up(db) {
    await sql`create index annotations_empty on annotations (category_id, image_id)
      where area = 0 and not isbbox and visible and deleted_at is null`.execute(db);
  },
};
