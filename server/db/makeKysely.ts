import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import { notingCommits } from "./commands/notedCommits";
import type { Schema } from "./schema";

/** Returns the query builder over a pool of pg or of the embedded database. */
export function makeKysely(pool: PostgresPool): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: notingCommits(pool) }) });
}
