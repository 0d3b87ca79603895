import type { Migration } from "kysely";
import { sql } from "kysely";

/** Lets a check read a dataset's looks page by page, in the order of their annotations (decision 151). */
export const looksInOrder: Migration = {
  async up(db) {
    await sql`drop index quality_looks_dataset`.execute(db);
    await sql`create index quality_looks_order on quality_looks (dataset_id, annotation_id)`.execute(db);
  },
};
