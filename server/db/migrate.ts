import { type Kysely, Migrator, sql } from "kysely";
import { ConfigurationError } from "../base/errors";
import { migrations } from "./migrations";
import type { Schema } from "./schema";

/** Name of the newest migration: the schema version that this code works with. */
export const SCHEMA_VERSION = Object.keys(migrations).sort().at(-1) ?? "";

/**
 * Migrates the tables to this code's version, or to an earlier one, in one transaction and under PostgreSQL's advisory
 * lock, so that several processes may start at once. Throws and changes nothing if a migration fails; throws
 * ConfigurationError if the database is newer than the code. `db` must have no statement timeout.
 */
export async function migrate(db: Kysely<Schema>, version = SCHEMA_VERSION): Promise<void> {
  await requireKnown(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateTo(version);
  if (error) throw error;
}

/** Throws ConfigurationError if a newer Limn has migrated the tables. */
export async function requireKnown(db: Kysely<Schema>): Promise<void> {
  if ((await currentVersion(db)) === undefined) return;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const unknown = rows.findLast(({ name }) => !isKnownVersion(name));
  if (!unknown) return;
  throw new ConfigurationError(
    `The database was made by a newer Limn: its tables have version ${unknown.name}, this Limn supports ${SCHEMA_VERSION}. Update Limn.`,
  );
}

export function isKnownVersion(version: string): boolean {
  return Object.hasOwn(migrations, version);
}

/** Returns the version of a database's tables; undefined if there are none. */
export async function currentVersion(db: Kysely<Schema>): Promise<string | undefined> {
  const table = await sql<{ yes: boolean }>`select to_regclass('kysely_migration') is not null as yes`.execute(db);
  if (!table.rows[0]?.yes) return undefined;
  const { rows } = await sql<{ name: string | null }>`select max(name) as name from kysely_migration`.execute(db);
  return rows[0]?.name ?? undefined;
}
