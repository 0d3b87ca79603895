import type { Migration } from "kysely";
import { sql } from "kysely";

const statements = [
  // Set when an account is deleted: it can no longer be used, and its row is deleted once nothing refers to it
  // (server/features/accounts/clearAccount.ts).
  `alter table users add column closed_at timestamptz`,

  // A personal API token. hash is the SHA-256 of the secret, which has 256 random bits, so no slow hash is needed.
  // prefix is the beginning of the secret, shown to its owner.
  `create table api_tokens (
    id serial primary key,
    user_id integer not null references users on delete cascade,
    name text not null check (name <> ''),
    prefix text not null,
    hash text not null unique,
    created_at timestamptz not null default now(),
    last_used timestamptz,
    expires_at timestamptz
  )`,
  `create index api_tokens_user on api_tokens (user_id)`,
];

export const accounts: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
