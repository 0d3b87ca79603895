import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import pg from "pg";
import type { Env } from "../env";
import { ConfigurationError, codeOf } from "../errors";
import { log } from "../log";
import { stopCapture } from "./changeCapture";
import { type FolderLock, lockFolder } from "./folderLock";
import { startLastingThread } from "./lastingThread";
import { currentVersion, migrate, SCHEMA_VERSION } from "./migrate";
import { pglitePool } from "./pglitePool";
import { type PgliteOptions, startPgliteThread } from "./pgliteThread";
import { planningOnce } from "./plannedOnce";
import type { Schema } from "./schema";
import { valueTypes } from "./types";

/** The open database. `server`: PostgreSQL at DATABASE_URL. `embedded`: in a thread, its files in the data folder. */
export interface Database {
  db: Kysely<Schema>;
  kind: "embedded" | "server";
  /** Of the embedded database: other processes reach this one through it. */
  lock?: FolderLock;
  /** Of the embedded database: for how many milliseconds no request has asked it. */
  quietMs?: () => number;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Called when the embedded database has died and does not start again. The default says so and exits. */
  onLost?: (error: Error) => void;
}

/** Major version of the PostgreSQL inside the pinned PGlite. */
const EMBEDDED_MAJOR = "18";
const OLDEST_SERVER = 150_000;

/** Milliseconds, for the server; the embedded database has none but those of its pool. */
const SERVER_TIMEOUTS = {
  connectionTimeoutMillis: 5_000,
  statement_timeout: 10_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 15_000,
};

/** A connection that is silent for half a minute is probed: the system's own two hours are too long. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };

/** Longer than a statement may take. */
const SILENCE_MS = 20_000;

/** Opens the database and brings its tables up to date. Throws ConfigurationError for what an operator must mend. */
export async function openDatabase(
  env: Pick<Env, "DATABASE_URL" | "DATA_DIR">,
  { onLost = reportAndExit }: DatabaseOptions = {},
): Promise<Database> {
  return env.DATABASE_URL ? openServer(env.DATABASE_URL) : openEmbedded(env.DATA_DIR, prepare, onLost);
}

/** Opens a database that is there, and changes nothing. Its tables must be up to date, else ConfigurationError. */
export async function openAsItIs(env: Pick<Env, "DATABASE_URL" | "DATA_DIR">): Promise<Database> {
  if (!env.DATABASE_URL && isNew(embeddedFolder(env.DATA_DIR)))
    throw new ConfigurationError(`There is no database in ${env.DATA_DIR}.`);
  if (!env.DATABASE_URL) return openEmbedded(env.DATA_DIR, requireUpToDate, reportAndExit);
  const database = await openPatientServer(env.DATABASE_URL);
  await requireUpToDate(database.db).catch(async (error) => {
    await database.close();
    throw error;
  });
  return database;
}

async function openServer(url: string): Promise<Database> {
  const patient = await openPatientServer(url);
  await migrate(patient.db).finally(patient.close);
  const db = overPool(planningOnce(serverPool(url, SERVER_TIMEOUTS), SILENCE_MS));
  return { db, kind: "server", close: () => db.destroy() };
}

/** The server over one connection without timeouts, as it is: for migrations and restore, which may take long. */
export async function openPatientServer(url: string): Promise<Database> {
  const pool = serverPool(url, { max: 1, connectionTimeoutMillis: 5_000 });
  const db = overPool(pool);
  try {
    await requireVersion(pool);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return { db, kind: "server", close: () => db.destroy() };
}

async function requireVersion(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query("select current_setting('server_version_num')::int as version").catch((error) => {
    throw new ConfigurationError(`The database at DATABASE_URL does not answer: ${reason(error)}.`);
  });
  if (rows[0].version >= OLDEST_SERVER) return;
  throw new ConfigurationError("The database at DATABASE_URL is older than PostgreSQL 15.");
}

function reason(error: Error): string {
  return error.message || codeOf(error) || error.name;
}

function serverPool(connectionString: string, options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 10, ...KEEP_ALIVE, ...options, types: valueTypes });
  // Without listeners the process dies when the server closes a connection, be it idle or in use.
  const tell = (error: Error) => log.warn({ code: codeOf(error) }, `database connection lost: ${reason(error)}`);
  pool.on("error", tell);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

async function openEmbedded(
  dataFolder: string,
  ready: (db: Kysely<Schema>) => Promise<void>,
  onLost: (error: Error) => void,
): Promise<Database> {
  const lock = await lockFolder(dataFolder);
  try {
    const dir = embeddedFolder(dataFolder);
    if (isNew(dir)) await createFolder(dir);
    else requireMajor(dir);
    const pool = pglitePool(await startLastingThread({ dir }, onLost));
    const db = overPool(pool);
    const closeAll = async () => {
      await db.destroy();
      lock.release();
    };
    await ready(db).catch(async (error) => {
      await db.destroy();
      throw error;
    });
    return { db, kind: "embedded", lock, quietMs: pool.quietMs, close: closeAll };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function prepare(db: Kysely<Schema>): Promise<void> {
  await db.transaction().execute(stopCapture);
  await migrate(db);
}

async function requireUpToDate(db: Kysely<Schema>): Promise<void> {
  if ((await currentVersion(db)) === SCHEMA_VERSION) return;
  throw new ConfigurationError("The database's tables are of another version than this Limn. Start Limn once first.");
}

/** The embedded database without lock and migrations, and without a new thread when this one dies. */
export async function openPglite(options: PgliteOptions, onLost: (error: Error) => void) {
  const thread = await startPgliteThread(options, onLost);
  const db = overPool(pglitePool({ current: () => thread, close: thread.close }));
  return { db, thread, close: () => db.destroy() };
}

/** Where the embedded database lies in a data folder. */
export function embeddedFolder(dataFolder: string): string {
  return join(dataFolder, "db");
}

/** Made aside and moved into place, so that a folder that is there is a whole one. */
async function createFolder(dir: string): Promise<void> {
  const draft = `${dir}.new`;
  rmSync(draft, { recursive: true, force: true });
  const thread = await startPgliteThread({ dir: draft }, () => undefined);
  await thread.close();
  renameSync(draft, dir);
}

function isNew(dir: string): boolean {
  return !existsSync(dir) || readdirSync(dir).length === 0;
}

function requireMajor(dir: string): void {
  const file = join(dir, "PG_VERSION");
  const major = existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
  if (major === EMBEDDED_MAJOR) return;
  const made = major
    ? `was made by PostgreSQL ${major}, and this Limn has ${EMBEDDED_MAJOR}`
    : "is not a whole database";
  throw new ConfigurationError(
    `The database in ${dir} ${made}. Move the folder away and restore the newest backup: npm run restore -- FILE`,
  );
}

function reportAndExit(error: Error): never {
  log.fatal(error.message);
  process.exit(1);
}

function overPool(pool: PostgresPool): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}
