import { type Migration, sql } from "kysely";

/**
 * Adds the time of a dataset's last change and its user, for the cards. No index has the columns, so that a write of
 * them is short. The newest entries of the history fill them for the datasets that are there.
 */
const statements = [
  `alter table datasets add column edited_at timestamptz,
    add column edited_by integer references users on delete set null`,
  `update datasets d set edited_at = h.created_at, edited_by = h.user_id
    from (select i.dataset_id, max(h.id) as id from edit_history h join images i on i.id = h.image_id
      where h.image_revision is not null group by i.dataset_id) as newest
    join edit_history h on h.id = newest.id
    where d.id = newest.dataset_id`,
];

export const lastActivity: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
