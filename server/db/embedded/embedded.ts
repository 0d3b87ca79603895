import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Kysely } from "kysely";
import type { Env } from "../../base/env";
import { ConfigurationError } from "../../base/errors";
import type { PoolLoad } from "../../base/poolLoad";
import { backupFolder, listBackups } from "../backupFiles/backupFolder";
import { restoreHint } from "../backupFiles/restoreHint";
import { describeDamage, describeServerDamage } from "../dataFolder/describeDamage";
import { type Applicant, type FolderLock, lockFolder } from "../dataFolder/folderLock";
import { readMarker } from "../dataFolder/marker";
import { type FolderWatch, watchFolder } from "../dataFolder/watchFolder";
import { makeKysely } from "../makeKysely";
import type { Schema } from "../schema";
import { pglitePool } from "./pglitePool";
import { type PgliteOptions, startPgliteThread } from "./pgliteThread";
import { startRestartingThread } from "./restartingThread";

/** Major version of PostgreSQL in the pinned version of PGlite. */
const EMBEDDED_MAJOR = "18";

export interface EmbeddedOptions {
  /** Migrates the tables, or checks that they are up to date. */
  ready: (db: Kysely<Schema>) => Promise<void>;
  /** Called once when nothing more can be stored: the database cannot be restarted, or its folder is gone. */
  onLost: (error: Error) => void;
  applicant: Applicant;
  /** Creates a database even if the folder had one before. */
  adopt?: boolean;
}

/** Opens the embedded database, or creates it. Throws ConfigurationError for problems that an operator must fix. */
export async function openEmbedded(dataFolder: string, { ready, onLost, applicant, adopt }: EmbeddedOptions) {
  const lock = await lockFolder(dataFolder, applicant);
  const dir = embeddedFolder(dataFolder);
  let watch: FolderWatch | undefined;
  try {
    const created = isNew(dir);
    if (created && !adopt) await requireUnused(dataFolder);
    if (created) await createFolder(dir);
    else await requireMajor(dataFolder);
    watch = watchFolder(dataFolder, watchedFiles(lock, dir), onLost);
    const giveUp = async (error: Error) => {
      const explained = await explainDamage(error, { DATA_DIR: dataFolder });
      onLost(explained instanceof Error ? explained : error);
    };
    const { db, quietMs, load } = await openReady(dir, { ready, onLost: giveUp, check: watch.check });
    const close = async () => {
      await db.destroy();
      watch?.stop();
      lock.release();
    };
    return { db, lock, created, quietMs, load, close };
  } catch (error) {
    watch?.stop();
    lock.release();
    throw await explainDamage(error, { DATA_DIR: dataFolder });
  }
}

/** Returns a ConfigurationError for an error caused by a damaged database; returns other errors unchanged. */
export async function explainDamage(
  error: unknown,
  { DATA_DIR, DATABASE_URL }: Pick<Env, "DATA_DIR"> & Partial<Pick<Env, "DATABASE_URL">>,
): Promise<unknown> {
  if (error instanceof ConfigurationError) return error;
  if (DATABASE_URL) return describeServerDamage(error);
  return describeDamage(error, embeddedFolder(DATA_DIR), () => restoreHint(DATA_DIR));
}

async function openReady(
  dir: string,
  { ready, onLost, check }: Pick<EmbeddedOptions, "ready" | "onLost"> & { check: () => void },
): Promise<{ db: Kysely<Schema>; quietMs: () => number; load: () => PoolLoad }> {
  const pool = pglitePool(await startRestartingThread({ dir }, onLost, check), { check });
  const db = makeKysely(pool);
  await ready(db).catch(async (error) => {
    await db.destroy();
    throw error;
  });
  return { db, quietMs: pool.quietMs, load: pool.load };
}

/** Opens the embedded database without lock or migrations. Its thread is not restarted when it dies. */
export async function openPglite(options: PgliteOptions, onLost: (error: Error) => void) {
  const thread = await startPgliteThread(options, onLost);
  const db = makeKysely(pglitePool({ current: () => thread, close: thread.close }));
  return { db, thread, close: () => db.destroy() };
}

/** Returns the path of the embedded database in a data folder. */
export function embeddedFolder(dataFolder: string): string {
  return join(dataFolder, "db");
}

/** Returns true if no embedded database was created here yet. */
export function isNew(dir: string): boolean {
  return !existsSync(dir) || readdirSync(dir).length === 0;
}

/**
 * Throws ConfigurationError if the folder had a database before, so that it is not silently replaced by an empty one.
 */
async function requireUnused(dataFolder: string): Promise<void> {
  const isUsed = readMarker(dataFolder) !== undefined || (await listBackups(backupFolder(dataFolder))).length > 0;
  if (!isUsed) return;
  throw new ConfigurationError(
    `There is no database in ${embeddedFolder(dataFolder)}, although ${dataFolder} has belonged to one. ` +
      `If that is a PostgreSQL server, set DATABASE_URL. ${await restoreHint(dataFolder)} ` +
      "To start with an empty database instead: npm run adopt",
  );
}

/** Creates the database under another name and renames it, so that an existing folder is always complete. */
async function createFolder(dir: string): Promise<void> {
  const draft = `${dir}.new`;
  rmSync(draft, { recursive: true, force: true });
  const thread = await startPgliteThread({ dir: draft }, () => undefined);
  await thread.close();
  renameSync(draft, dir);
}

/** Returns the files to watch. PostgreSQL writes PG_VERSION only once, when it creates a database. */
function watchedFiles(lock: FolderLock, dir: string): string[] {
  return [lock.file, join(dir, "PG_VERSION")].filter((file) => file !== undefined);
}

async function requireMajor(dataFolder: string): Promise<void> {
  const dir = embeddedFolder(dataFolder);
  const file = join(dir, "PG_VERSION");
  const major = existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
  if (major === EMBEDDED_MAJOR) return;
  const made = major ? `was made by PostgreSQL ${major}, and this Limn has ${EMBEDDED_MAJOR}` : "is incomplete";
  throw new ConfigurationError(`The database in ${dir} ${made}. ${await restoreHint(dataFolder)}`);
}
