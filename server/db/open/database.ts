import type { Kysely } from "kysely";
import pg from "pg";
import type { Env } from "../../base/env";
import { ConfigurationError, codeOf } from "../../base/errors";
import { log } from "../../base/log";
import type { PoolLoad } from "../../base/poolLoad";
import { stopCapture } from "../changeCapture";
import type { FolderLock } from "../dataFolder/folderLock";
import { adoptFolder, checkFolder, claimFolder, type OwnFolders } from "../dataFolder/ownFolder";
import { watchMarker } from "../dataFolder/watchMarker";
import { embeddedFolder, isNew, openEmbedded } from "../embedded/embedded";
import { makeKysely } from "../makeKysely";
import { currentVersion, migrate, requireKnown, SCHEMA_VERSION } from "../migrate";
import { withPreparedStatements } from "../preparedStatements";
import type { Schema } from "../schema";
import { valueTypes } from "../types";
import { fairPool } from "./fairPool";

/**
 * The open database. `server`: PostgreSQL at DATABASE_URL. `embedded`: in a thread, with its files in the data folder.
 */
export interface Database {
  db: Kysely<Schema>;
  kind: "embedded" | "server";
  /** Embedded database only: the channel through which other processes reach this one. */
  lock?: FolderLock;
  /** Embedded database only: returns the milliseconds since the last request. */
  quietMs?: () => number;
  /** Returns the use of the connections; absent in tools that open only one. */
  load?: () => PoolLoad;
  /** True if the embedded database did not exist and was created. */
  created?: boolean;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /**
   * Called if the embedded database cannot be restarted or its folder is gone. The default logs the error and exits
   * with 1.
   */
  onLost?: (error: Error) => void;
  /** Ends the wait for a data folder that a backup or a stopping server holds. */
  signal?: AbortSignal;
  /** Assigns the data folder to this database, even if it belonged to another. */
  adopt?: boolean;
}

const OLDEST_SERVER = 150_000;

const CONNECTIONS = 10;

/** Milliseconds, for a PostgreSQL server; the embedded database has only the timeouts of its pool. */
const SERVER_TIMEOUTS = {
  connectionTimeoutMillis: 5_000,
  statement_timeout: 10_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 15_000,
};

/** Probes a connection after half a minute of silence: the operating system's default of two hours is too long. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };

/** Milliseconds after which a server that does not respond counts as lost. Must be longer than `statement_timeout`. */
const SILENCE_MS = 20_000;

/** The database's address and the folders that belong to it; without DATA_DIR no folder is used. */
type Folders = Pick<Env, "DATABASE_URL" | "DATA_DIR"> & Partial<Pick<Env, "DATASETS_DIR" | "STORAGE">>;

/** Opens the database and migrates its tables. Throws ConfigurationError for problems that an operator must fix. */
export async function openDatabase(
  env: Folders,
  { onLost = reportAndExit, signal, adopt = false }: DatabaseOptions = {},
): Promise<Database> {
  if (env.DATABASE_URL) return openServer(env.DATABASE_URL, env, { onLost, adopt });
  const onWait = (line: string) => log.warn(line);
  const applicant = { name: "a Limn server", endsSoon: false, onWait, signal };
  const ready = async (db: Kysely<Schema>) => {
    await prepare(db);
    await takeFolder(db, { ...env, kind: "embedded" }, adopt);
  };
  return { kind: "embedded", ...(await openEmbedded(env.DATA_DIR, { ready, onLost, applicant, adopt })) };
}

/**
 * Opens an existing database for `command` without changing it. Throws ConfigurationError if its tables are not up to
 * date.
 */
export async function openWithoutMigrating(env: Folders, command: string): Promise<Database> {
  if (!env.DATABASE_URL && isNew(embeddedFolder(env.DATA_DIR)))
    throw new ConfigurationError(`There is no database in ${env.DATA_DIR}.`);
  const kind = env.DATABASE_URL ? "server" : "embedded";
  const ready = async (db: Kysely<Schema>) => {
    await requireUpToDate(db);
    if (env.DATA_DIR) await checkFolder(db, { ...env, kind });
  };
  if (!env.DATABASE_URL) {
    const options = { ready, onLost: reportAndExit, applicant: { name: command, endsSoon: true } };
    return { kind: "embedded", ...(await openEmbedded(env.DATA_DIR, options)) };
  }
  const database = await openServerWithoutTimeouts(env.DATABASE_URL);
  await ready(database.db).catch(async (error) => {
    await database.close();
    throw error;
  });
  return database;
}

async function openServer(
  url: string,
  env: Folders,
  { onLost, adopt }: Required<Pick<DatabaseOptions, "onLost" | "adopt">>,
): Promise<Database> {
  const patient = await openServerWithoutTimeouts(url);
  try {
    await migrate(patient.db);
    if (env.DATA_DIR) await takeFolder(patient.db, { ...env, kind: "server" }, adopt);
  } finally {
    await patient.close();
  }
  const stopWatch = env.DATA_DIR ? watchMarker(env.DATA_DIR, onLost) : () => undefined;
  const pool = withPreparedStatements(serverPool(url, SERVER_TIMEOUTS), SILENCE_MS);
  const fair = fairPool(pool, { places: CONNECTIONS, patienceMs: SERVER_TIMEOUTS.connectionTimeoutMillis });
  const db = makeKysely(fair);
  const close = () => {
    stopWatch();
    return db.destroy();
  };
  return { db, kind: "server", load: fair.load, close };
}

function takeFolder(db: Kysely<Schema>, folders: OwnFolders, adopt: boolean): Promise<void> {
  return adopt ? adoptFolder(db, folders.DATA_DIR) : claimFolder(db, folders);
}

/** Connects to the server over one connection without timeouts and without migrating: for migrations and restore. */
export async function openServerWithoutTimeouts(url: string): Promise<Database> {
  const pool = serverPool(url, { max: 1, connectionTimeoutMillis: 5_000 });
  const db = makeKysely(pool);
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
    throw new ConfigurationError(`The database at DATABASE_URL does not respond: ${reason(error)}.`);
  });
  if (rows[0].version >= OLDEST_SERVER) return;
  throw new ConfigurationError("The database at DATABASE_URL is older than PostgreSQL 15.");
}

function reason(error: Error): string {
  return error.message || codeOf(error) || error.name;
}

function serverPool(connectionString: string, options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: CONNECTIONS, ...KEEP_ALIVE, ...options, types: valueTypes });
  // Without listeners the process exits when the server closes a connection, whether idle or in use.
  const logLoss = (error: Error) => log.warn({ code: codeOf(error) }, `database connection lost: ${reason(error)}`);
  pool.on("error", logLoss);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

async function prepare(db: Kysely<Schema>): Promise<void> {
  await db.transaction().execute(stopCapture);
  await migrate(db);
}

async function requireUpToDate(db: Kysely<Schema>): Promise<void> {
  await requireKnown(db);
  if ((await currentVersion(db)) === SCHEMA_VERSION) return;
  throw new ConfigurationError("The database's tables have an older version. Start Limn once to update them.");
}

function reportAndExit(error: Error): never {
  log.fatal(error.message);
  process.exit(1);
}
