import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Creates a table of installation ids whose data folder has a marker: from then on, a folder without a marker is a
 * different one. Not a column of `installation`, since writing that row would change its stamp.
 */
export const dataFolderMarks: Migration = {
  async up(db) {
    await sql`create table data_folder_marks (installation uuid primary key)`.execute(db);
  },
};
