import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Adds the user to whom an image is assigned (decision 141). The index finds a user's images, for lists and when the
 * account is deleted; images without a user are not in it.
 */
const statements = [
  `alter table images add column assignee_id integer references users on delete set null`,
  `create index images_by_assignee on images (assignee_id, dataset_id) where assignee_id is not null`,
];

export const assignees: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
