import { type Kysely, sql, type Transaction } from "kysely";
import type { Schema } from "./schema";

/**
 * The database's id and how it came by it: `new` for an empty database, `updated` for one from before ids, `restored` for
 * one whose numbers may mean other images and users than before.
 */
export interface Installation {
  id: string;
  origin: "new" | "updated" | "restored";
}

/**
 * Names the row's writer: transaction (xmin), table and database. A dump carries the row's text along but not what wrote
 * it, so that a row that pg_restore, psql or `create database … template` brought is told from a genuine one.
 * https://www.postgresql.org/docs/15/ddl-system-columns.html
 */
const DATABASE = sql`(select oid from pg_database where datname = current_database())`;
const FOUND_STAMP = sql<string>`concat_ws('.', installation.xmin, installation.tableoid, ${DATABASE})`;
const NEW_STAMP = sql<string>`concat_ws('.', pg_current_xact_id()::xid, 'installation'::regclass::oid, ${DATABASE})`;

/**
 * Returns the database's id; a new one if the database was restored by other means than Limn's. Within a transaction it
 * stays the same until the end: `renewInstallation` waits for the transaction.
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
 * Gives the database a new id and returns it. Waits for all transactions that have read the old one, and later ones wait
 * for this: so no edit for the old id comes in after `trx` has changed anything else. No effect before migration 0020.
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

/** Replaces the row unless it is genuine, which another process may have seen to meanwhile. */
async function writeInstallation(db: Kysely<Schema>): Promise<void> {
  await sql`
    insert into installation (origin, stamp) values ('restored', ${NEW_STAMP})
    on conflict (one) do update set id = excluded.id, origin = excluded.origin, stamp = excluded.stamp
    where installation.stamp <> ${FOUND_STAMP}`.execute(db);
}
