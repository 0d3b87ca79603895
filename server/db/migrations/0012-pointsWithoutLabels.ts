import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Counts annotations that have only extra keypoints as annotations, like those with labelled keypoints, and updates the
 * counts of their images.
 */
export const pointsWithoutLabels: Migration = {
  async up(db) {
    await sql`
      update images i set num_annotations = i.num_annotations + c.n, annotated = true,
        revision = i.revision + 1, reload_revision = i.revision + 1
      from (
        select image_id, count(*)::int as n from annotations
        where extra -> 'keypoints' <> '[]' and coalesce(keypoints, '[]') = '[]' and coalesce(shape, '[]') = '[]'
          and not isbbox and area <= 0 and visible and deleted_at is null
        group by image_id
      ) c
      where i.id = c.image_id`.execute(db);
  },
};
