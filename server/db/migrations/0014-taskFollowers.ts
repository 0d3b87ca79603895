import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Creates a table of users who requested a task that another user had started: they received its id and may follow it.
 */
export const taskFollowers: Migration = {
  async up(db) {
    await sql`
      create table task_followers (
        task_id integer not null references tasks on delete cascade,
        user_id integer not null references users on delete cascade,
        primary key (task_id, user_id)
      )`.execute(db);
  },
};
