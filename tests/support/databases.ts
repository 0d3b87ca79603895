import { afterAll, describe, inject } from "vitest";
import { openPglite } from "../../server/db/embedded/embedded";
import { type Database, openDatabase } from "../../server/db/open/database";
import { copyTemplate, dropServerDatabase, type Template } from "./migratedPostgres";
import { postgresFolder } from "./postgres";

export { dropServerDatabase };

/** A migrated database without rows, used by one test file. */
export interface TestDatabase extends Database {
  /** Address for other processes. Undefined for the embedded database, which is in this process's memory. */
  url: string | undefined;
}

type Open = () => Promise<TestDatabase>;

/**
 * Runs the tests of `body` twice: on the embedded database and on a PostgreSQL server. `open` creates a new database
 * each time, usually in beforeAll; all are closed after the tests. Without a PostgreSQL installation the second half is
 * skipped with a warning.
 */
export function describeOnBothDatabases(name: string, body: (open: Open, kind: Database["kind"]) => void): void {
  describe(`${name} (embedded)`, () => body(closedAfterwards(openEmbedded), "embedded"));
  describeOnServer(name, (open) => body(open, "server"));
}

/**
 * Runs the tests of `body` on both databases, but in `npm test` only on a PostgreSQL server, where one is installed.
 * For long tests of features whose statements are the same on both: the browser tests use both (decision 155).
 */
export function describeOnDatabases(name: string, body: (open: Open, kind: Database["kind"]) => void): void {
  if (!process.env.LIMN_ONE_DATABASE || postgresFolder() === undefined) describeOnBothDatabases(name, body);
  else describeOnServer(name, (open) => body(open, "server"));
}

/**
 * Runs the tests of `body` on a PostgreSQL server, or on the embedded database if none is installed. For long tests
 * that depend little on the database.
 */
export function describeOnOneDatabase(name: string, body: (open: Open) => void): void {
  if (postgresFolder() !== undefined) describeOnServer(name, body);
  else describe(`${name} (embedded)`, () => body(closedAfterwards(openEmbedded)));
}

/**
 * Runs the tests of `body` on a PostgreSQL server, for what only it supports (several processes, LISTEN). Skips them
 * with a warning if none is installed.
 */
export function describeOnServer(name: string, body: (open: Open) => void): void {
  const here = postgresFolder() !== undefined;
  if (!here)
    console.warn(`SKIPPED: "${name}" on a PostgreSQL server needs an installation of it (npm test installs it).`);
  describe.skipIf(!here)(`${name} (server)`, () => body(closedAfterwards(openServer)));
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

/** Opens an embedded database on a thread, in memory, from a dump of a migrated one. */
export async function openEmbedded(): Promise<TestDatabase> {
  const { db, close } = await openPglite(await embeddedTemplate(), (error) => {
    throw error;
  });
  return { db, kind: "embedded", url: undefined, close: once(close) };
}

/**
 * Returns the template from which an embedded database in memory starts, which is faster than migrating an empty one.
 */
export async function embeddedTemplate(): Promise<{ template: string }> {
  return { template: await ask("template") };
}

/**
 * Opens a database for tests that depend little on its kind: on the PostgreSQL server, which takes a quarter of the CPU
 * time, or an embedded one if none is installed.
 */
export const openEither: Open = () => (postgresFolder() === undefined ? openEmbedded() : openServer());

/** Opens a copy of the migrated template on the PostgreSQL server of this run. */
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

/** Creates a copy of a template on the PostgreSQL server of this run, and returns its address. */
export async function createServerDatabase(template: Template): Promise<string> {
  return copyTemplate(await ask("postgres"), template);
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
