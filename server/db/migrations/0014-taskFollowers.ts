import type { Migration } from "kysely";
import { sql } from "kysely";

/** Those who asked for a task that somebody else had begun: they were answered with its id, and may follow it. */
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
