import type { Migration } from "kysely";
import { sql } from "kysely";

/** Finds an image's deleted annotations without reading the others, for the numbers of annotations (decision 159). */
export const deletedOfImages: Migration = {
  async up(db) {
    await sql`create index annotations_deleted_of_image on annotations (image_id, id)
      where deleted_at is not null`.execute(db);
  },
};
