import type { Migration } from "kysely";
import { sql } from "kysely";

const statements = [
  // Commands of clients, one for each id that they send (server/middleware/doOnce.ts). key is a SHA-256. While the
  // command runs, until is the end of its process's lease; afterwards it is the time until which outcome is kept.
  // is_committed: a change was stored. outcome is encrypted: only a client that knows the id can read it.
  `create table commands (
    key text primary key,
    holder text not null,
    until timestamptz not null,
    is_committed boolean not null default false,
    outcome text
  )`,
  `create index commands_until on commands (until)`,
];

export const commands: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
