import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../server/db/open/database";
import { freePort } from "../support/freePort";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { postgresFolder } from "../support/postgres";
import { Client } from "./client";

/** A server on one of the databases, ready to be measured, with access to its rows. */
export interface Bed {
  kind: "PostgreSQL" | "embedded";
  server: LiveServer;
  client: Client;
  env: Record<string, string>;
  /** Process id of the PostgreSQL server. The embedded database runs in the server's own process. */
  databasePid?: number | undefined;
  /** Runs work on the rows, while the server is stopped (embedded) or running (PostgreSQL). */
  rows<T>(work: (database: Database) => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

export async function postgresBed(): Promise<Bed> {
  const postgres = await startDurablePostgres();
  const env = { DATABASE_URL: postgres.url, LOG_LEVEL: "error" };
  const server = await startLiveServer(env);
  const client = new Client(server.url);
  await client.register();
  return {
    kind: "PostgreSQL",
    server,
    client,
    env,
    databasePid: postgres.pid,
    rows: (work) => withDatabase(env.DATABASE_URL, server.dataDir, work),
    remove: async () => {
      await server.remove();
      await postgres.stop();
    },
  };
}

export async function embeddedBed(): Promise<Bed> {
  const env = { LOG_LEVEL: "error" };
  const server = await startLiveServer(env);
  const client = new Client(server.url);
  await client.register();
  return {
    kind: "embedded",
    server,
    client,
    env,
    rows: async (work) => {
      await server.stop();
      try {
        return await withDatabase(undefined, server.dataDir, work);
      } finally {
        await server.start();
      }
    },
    remove: () => server.remove(),
  };
}

async function withDatabase<T>(url: string | undefined, dataDir: string, work: (database: Database) => Promise<T>) {
  const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: dataDir });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Uses the settings of a fresh installation: fsync and synchronous_commit are on. */
export async function startDurablePostgres(): Promise<{ url: string; pid: number | undefined; stop(): Promise<void> }> {
  const bin = postgresFolder();
  if (!bin) throw new Error("The benchmark needs PostgreSQL's programs (npm test installs them on Debian).");
  const folder = mkdtempSync(join(tmpdir(), "limn-bench-"));
  const user = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "limn", "-A", "trust", "-E", "UTF8"], {
    ...user,
    cwd: folder,
    stdio: "ignore",
  });
  const port = await freePort();
  const settings = [
    "-c",
    `port=${port}`,
    "-c",
    "listen_addresses=127.0.0.1",
    "-c",
    `unix_socket_directories=${folder}`,
  ];
  const child = spawn(join(bin, "postgres"), ["-D", data, ...settings], { ...user, cwd: folder, stdio: "ignore" });
  const url = `postgres://limn@127.0.0.1:${port}/postgres`;
  for (let tries = 0; tries < 100; tries++) {
    const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: "" }).catch(() => undefined);
    if (database) {
      await database.close();
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    pid: child.pid,
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
