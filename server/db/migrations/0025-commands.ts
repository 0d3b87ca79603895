import type { Migration } from "kysely";
import { sql } from "kysely";

const statements = [
  // Commands of clients, one for each id that they name (server/middleware/doOnce.ts). key is a SHA-256. While it is
  // being done until is the lease of the process that does it, afterwards the time until which outcome is kept.
  // is_committed: it has changed something. outcome can be read by who knows the id alone.
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
