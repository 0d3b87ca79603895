import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, describe, inject } from "vitest";
import { openPglite } from "../../server/db/embedded/embedded";
import { type Database, openDatabase } from "../../server/db/open/database";
import { postgresFolder } from "./postgres";

/** A migrated database without rows, of its own. */
export interface TestDatabase extends Database {
  /** Address for other processes; undefined for the embedded one, which lives in this process's memory. */
  url: string | undefined;
}

/** Where several runs share a machine, starting a database takes seconds. */
const PATIENT = { timeout: 120_000 };

type Open = () => Promise<TestDatabase>;

/**
 * Runs the tests of `body` twice: on the embedded database and on a PostgreSQL server. `open` makes a new database each
 * time, usually in beforeAll; all are closed after the tests. Without a PostgreSQL here its half is skipped, visibly.
 */
export function describeOnBothDatabases(name: string, body: (open: Open, kind: Database["kind"]) => void): void {
  describe(`${name} (embedded)`, PATIENT, () => body(closedAfterwards(openEmbedded), "embedded"));
  describeOnServer(name, (open) => body(open, "server"));
}

/** On a PostgreSQL server, or where none is installed on the embedded database: long walks that ask little of it. */
export function describeOnOneDatabase(name: string, body: (open: Open) => void): void {
  if (postgresFolder() !== undefined) describeOnServer(name, body);
  else describe(`${name} (embedded)`, PATIENT, () => body(closedAfterwards(openEmbedded)));
}

/** As the first, for what only a PostgreSQL server can do (several processes, LISTEN). */
export function describeOnServer(name: string, body: (open: Open) => void): void {
  const here = postgresFolder() !== undefined;
  if (!here) console.warn(`SKIPPED: "${name}" on a PostgreSQL server: none is installed here (npm test installs it).`);
  describe.skipIf(!here)(`${name} (server)`, PATIENT, () => body(closedAfterwards(openServer)));
}

function closedAfterwards(open: Open): Open {
  const opened: TestDatabase[] = [];
  afterAll(async () => {
    for (const database of opened) await database.close();
  });
  return async () => {
    const database = await open();
    opened.push(database);
    return database;
  };
}

/** On a thread, in memory, from a dump of a migrated one. */
export async function openEmbedded(): Promise<TestDatabase> {
  const { db, close } = await openPglite(await embeddedTemplate(), (error) => {
    throw error;
  });
  return { db, kind: "embedded", url: undefined, close: once(close) };
}

/** Returns the template from which an embedded database in memory starts, which is faster than an empty one. */
export async function embeddedTemplate(): Promise<{ template: string }> {
  return { template: await ask("template") };
}

/** A copy of the migrated template on the run's server. */
export async function openServer(): Promise<TestDatabase> {
  const url = await createServerDatabase("limn_template");
  const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: "" });
  return {
    ...database,
    url,
    close: once(async () => {
      await database.close();
      await dropServerDatabase(url);
    }),
  };
}

/** Address of a new database on the run's server: a copy of `template`; `template0` has no tables. */
export async function createServerDatabase(template: "limn_template" | "template0"): Promise<string> {
  const server = await ask("postgres");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await asAdmin(server, `create database ${name} template ${template}`);
  return server + name;
}

export async function dropServerDatabase(url: string): Promise<void> {
  const name = url.slice(url.lastIndexOf("/") + 1);
  await asAdmin(await ask("postgres"), `drop database ${name} with (force)`);
}

async function asAdmin(server: string, sql: string): Promise<void> {
  const client = new pg.Client(`${server}postgres`);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

async function ask(what: "postgres" | "template"): Promise<string> {
  const answer = await fetch(`${inject("databases")}/${what}`);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.text();
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= close();
    return closed;
  };
}
