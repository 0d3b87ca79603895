import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Notes for which installation ids a data folder bears a marker: from then on a folder without one is another one. Not a
 * column of `installation`, since writing that row would change its stamp.
 */
export const dataFolderMarks: Migration = {
  async up(db) {
    await sql`create table data_folder_marks (installation uuid primary key)`.execute(db);
  },
};
