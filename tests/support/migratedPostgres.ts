import { randomUUID } from "node:crypto";
import pg from "pg";
import { openDatabase } from "../../server/db/open/database";
import { type Postgres, postgresFolder, startPostgres } from "./postgres";

/** Name of the database that holds all tables of Limn and no rows. */
const MIGRATED = "limn_template";

/** `template0` has no tables. */
export type Template = typeof MIGRATED | "template0";

/** Starts a PostgreSQL server with the template `limn_template`. */
export async function startMigrated(): Promise<Postgres> {
  const bin = postgresFolder();
  if (!bin) throw new Error("no PostgreSQL here");
  const postgres = await startPostgres(bin);
  await onServer(postgres.url(""), `create database ${MIGRATED}`);
  await (await openDatabase({ DATABASE_URL: postgres.url(MIGRATED), DATA_DIR: "" })).close();
  return postgres;
}

/**
 * Creates a copy of a template on the server with this address (`Postgres.url("")`), and returns the copy's address.
 */
export async function copyTemplate(server: string, template: Template = MIGRATED): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer(server, `create database ${name} template ${template}`);
  return server + name;
}

/** Drops a database, also while it is in use. */
export async function dropServerDatabase(url: string): Promise<void> {
  const split = url.lastIndexOf("/") + 1;
  await onServer(url.slice(0, split), `drop database ${url.slice(split)} with (force)`);
}

async function onServer(server: string, sql: string): Promise<void> {
  const client = new pg.Client(`${server}postgres`);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
