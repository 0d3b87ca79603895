import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openPglite } from "../../server/db/embedded/embedded";
import { migrate } from "../../server/db/migrate";
import { openDatabase } from "../../server/db/open/database";
import { hashOfDatabase } from "./newInstallation";
import { type Postgres, postgresFolder, startPostgres } from "./postgres";
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

async function startMigrated(): Promise<Postgres> {
  const bin = postgresFolder();
  if (!bin) throw new Error("no PostgreSQL here");
  const postgres = await startPostgres(bin);
  const client = new pg.Client(postgres.url("postgres"));
  await client.connect();
  await client.query("create database limn_template").finally(() => client.end());
  await (await openDatabase({ DATABASE_URL: postgres.url("limn_template"), DATA_DIR: "" })).close();
  return postgres;
}

/** Returns the path of the dump, which is cached between runs by a hash of its sources. */
async function embeddedTemplate(): Promise<string> {
  const cache = resolve("node_modules/.cache");
  const name = `limn-embedded-${hashOfDatabase()}.tar`;
  const path = join(cache, name);
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  for (const old of readdirSync(cache)) if (/^limn-embedded-.*\.tar$/.test(old)) rmSync(join(cache, old));
  const { db, thread, close } = await openPglite({}, fail);
  await migrate(db);
  writeFileSync(`${path}.${process.pid}`, new Uint8Array(await thread.dump()));
  await close();
  renameSync(`${path}.${process.pid}`, path);
  return path;
}

function fail(error: Error): never {
  throw error;
}
