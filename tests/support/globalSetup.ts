import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { type Kysely, sql } from "kysely";
import type { TestProject } from "vitest/node";
import { openPglite } from "../../server/db/embedded/embedded";
import { migrate } from "../../server/db/migrate";
import type { Schema } from "../../server/db/schema";
import { startMigrated } from "./migratedPostgres";
import { hashOfDatabase } from "./newInstallation";
import type { Postgres } from "./postgres";
import { openRunFolder } from "./runFolder";

/**
 * Builds the server for tests that start one. Provides the templates of the test databases, made once per run at the
 * first request: a dump of a migrated embedded database, and a PostgreSQL server with a migrated template. Test files
 * request them over HTTP, because each file runs in its own process.
 */
export default async function globalSetup(project: TestProject) {
  const removeRunFolder = openRunFolder();
  execFileSync(process.execPath, ["scripts/build.mjs", "--if-changed", "--server", "--tests"], { stdio: "inherit" });
  let postgres: Promise<Postgres> | undefined;
  let template: Promise<string> | undefined;

  const answers: Record<string, () => Promise<string>> = {
    "/postgres": async () => {
      postgres ??= startMigrated();
      return (await postgres).url("");
    },
    "/template": () => {
      template ??= embeddedTemplate();
      return template;
    },
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ""];
    if (!answer) return response.writeHead(404).end();
    answer().then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  if (!address || typeof address !== "object") throw new Error("no port");
  project.provide("databases", `http://127.0.0.1:${address.port}`);

  return async () => {
    server.closeAllConnections();
    server.close();
    await (await postgres)?.stop();
    removeRunFolder();
  };
}

declare module "vitest" {
  export interface ProvidedContext {
    databases: string;
  }
}

/** Returns the path of the dump, which is cached between runs by a hash of its sources. */
async function embeddedTemplate(): Promise<string> {
  const cache = resolve("node_modules/.cache");
  const name = `limn-template-${hashOfDatabase()}.tar`;
  const path = join(cache, name);
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  for (const old of readdirSync(cache)) if (/^limn-(embedded|template)-.*\.tar$/.test(old)) rmSync(join(cache, old));
  const { db, thread, close } = await openPglite({}, fail);
  await migrate(db);
  await shrinkTemplate(db);
  writeFileSync(`${path}.${process.pid}`, new Uint8Array(await thread.dump()));
  await close();
  renameSync(`${path}.${process.pid}`, path);
  return path;
}

/**
 * Drops the databases from which PostgreSQL would create others, more than half of the files, and reserves less shared
 * memory. A copy then opens in half the CPU time.
 */
async function shrinkTemplate(db: Kysely<Schema>): Promise<void> {
  await sql`update pg_database set datistemplate = false`.execute(db);
  for (const name of ["template0", "template1"]) await sql`drop database ${sql.id(name)}`.execute(db);
  await sql`alter system set shared_buffers = '16MB'`.execute(db);
}

function fail(error: Error): never {
  throw error;
}
