import type { Migration } from "kysely";
import { sql } from "kysely";

const statements = [
  // Failed log-ins and registrations, counted per name, address or both; key is a SHA-256 (server/features/passwords/
  // attempts.ts). level was the count at counted_at; one of it is forgotten every forget_seconds.
  `create table attempts (
    key text primary key,
    level double precision not null,
    forget_seconds double precision not null,
    counted_at timestamptz not null default now()
  )`,

  // Pairs of an account and a network address, as a SHA-256, from which its right password was sent.
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
