import type { Migration } from "kysely";
import { sql } from "kysely";

const statements = [
  // Failed logins and registrations, counted per name, address or both; key is a SHA-256 (server/features/passwords/
  // attempts.ts). level is the count at counted_at; it decreases by one every forget_seconds.
  `create table attempts (
    key text primary key,
    level double precision not null,
    forget_seconds double precision not null,
    counted_at timestamptz not null default now()
  )`,

  // Pairs (as SHA-256) of an account and a network address that has sent its correct password.
  `create table known_addresses (
    key text primary key,
    user_id integer not null references users on delete cascade,
    seen_at timestamptz not null default now()
  )`,
  `create index known_addresses_user on known_addresses (user_id)`,
];

export const attempts: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
