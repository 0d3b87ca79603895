import { type Kysely, sql, type Transaction } from "kysely";
import type { Schema } from "./schema";

/**
 * The database's id and its origin: `new` for an empty database, `updated` for one from before ids existed, `restored`
 * for one whose row ids may now refer to different images and users.
 */
export interface Installation {
  id: string;
  origin: "new" | "updated" | "restored";
}

/**
 * Stamps that identify the row's writer: transaction (xmin), table and database. A dump copies the row's text but not
 * its writer, so a row copied by pg_restore, psql or `create database … template` can be told from a genuine one.
 * https://www.postgresql.org/docs/15/ddl-system-columns.html
 */
const DATABASE = sql`(select oid from pg_database where datname = current_database())`;
const FOUND_STAMP = sql<string>`concat_ws('.', installation.xmin, installation.tableoid, ${DATABASE})`;
const NEW_STAMP = sql<string>`concat_ws('.', pg_current_xact_id()::xid, 'installation'::regclass::oid, ${DATABASE})`;

/**
 * Returns the database's id, or a new id if the database was restored with a tool other than Limn. Within a transaction
 * the id does not change: `renewInstallation` waits until the transaction ends.
 */
export async function readInstallation(db: Kysely<Schema>): Promise<Installation> {
  const found = await readGenuine(db);
  if (found) return found;
  await writeInstallation(db);
  const written = await readGenuine(db);
  if (!written) throw new Error("the table installation has no row of this database");
  return written;
}

/**
 * Gives the database a new id. Waits for all transactions that have read the old id, and blocks later transactions
 * until `trx` ends, so that no edit for the old id is stored after `trx` changes anything else. No effect before
 * migration 0020.
 */
export async function renewInstallation(trx: Transaction<Schema>): Promise<void> {
  const { rows } = await sql<{ yes: boolean }>`select to_regclass('installation') is not null as yes`.execute(trx);
  if (!rows[0]?.yes) return;
  await sql`lock table installation in access exclusive mode`.execute(trx);
  await trx.deleteFrom("installation").execute();
  await writeInstallation(trx);
}

function readGenuine(db: Kysely<Schema>): Promise<Installation | undefined> {
  return db.selectFrom("installation").select(["id", "origin"]).where("stamp", "=", FOUND_STAMP).executeTakeFirst();
}

/** Replaces the row unless it is genuine: another process may have replaced it already. */
async function writeInstallation(db: Kysely<Schema>): Promise<void> {
  await sql`
    insert into installation (origin, stamp) values ('restored', ${NEW_STAMP})
    on conflict (one) do update set id = excluded.id, origin = excluded.origin, stamp = excluded.stamp
    where installation.stamp <> ${FOUND_STAMP}`.execute(db);
}
