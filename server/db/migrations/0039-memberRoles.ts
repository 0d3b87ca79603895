import type { Migration } from "kysely";
import { sql } from "kysely";

/** Adds the roles of members. Members of before become annotators, who may do what members could do until now. */
export const memberRoles: Migration = {
  async up(db) {
    await sql`alter table dataset_members add column role text not null default 'annotator'
      check (role in ('viewer', 'annotator', 'reviewer', 'maintainer'))`.execute(db);
  },
};
