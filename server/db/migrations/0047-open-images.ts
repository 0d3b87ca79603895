import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Adds indices of the images that the queue may give (decision 149), for each user to whom they are assigned, 0 for
 * nobody. Without them, a search passes over all images that are done.
 */
const statements = [
  `create index images_open_by_name on images (dataset_id, coalesce(assignee_id, 0), name_key, id)
    where deleted_at is null and not done`,
  // Images without annotations and labels need no ranking: they are read in this order.
  `create index images_open_by_content on images (dataset_id, coalesce(assignee_id, 0), annotated, cardinality(labels), name_key, id)
    where deleted_at is null and not done`,
];

export const openImages: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
