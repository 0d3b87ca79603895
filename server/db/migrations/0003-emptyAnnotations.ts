import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Empty annotations (chosen, but not drawn yet) are few. Lists of images that nobody has annotated ask for those of a
 * category alone, instead of looking for annotations of each image (server/features/images/imageList.ts).
 */
export const emptyAnnotations: Migration = {
  async up(db) {
    await sql`create index annotations_empty on annotations (category_id, image_id)
      where area = 0 and not isbbox and visible and deleted_at is null`.execute(db);
  },
};
