import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { sql } from "kysely";
import type { Env } from "../env";
import { log } from "../log";
import { backUp, backupFolder } from "./backup";
import type { Database } from "./database";
import { inBackground } from "./lanes";

/** Backups of the embedded database from time to time, on demand and at the end. */
export interface Backups {
  /** Makes one now, or waits for the one being made; answers with its path. */
  now(): Promise<string>;
  /** Makes the last one. Never throws: the process stops. */
  stop(): Promise<void>;
}

const KEPT = 10;
const COMMAND = "backup";

/**
 * Every `BACKUP_MINUTES` where something was written since the last one, and at the end; the newest ten are kept. Other
 * processes ask for one through the folder lock. A PostgreSQL server is backed up by its operator, so there it only
 * waits to be asked.
 */
export function startBackups(database: Database, env: Pick<Env, "DATA_DIR" | "BACKUP_MINUTES">): Backups {
  const folder = backupFolder(env.DATA_DIR);
  const automatic = database.kind === "embedded" && env.BACKUP_MINUTES > 0;
  let making: Promise<string> | undefined;
  let lastPosition: string | undefined;

  const make = async () => {
    const path = await inBackground(() => backUp(database, folder));
    lastPosition = await position(database);
    await removeOld(folder);
    return path;
  };
  const now = () => {
    making ??= make().finally(() => {
      making = undefined;
    });
    return making;
  };
  const ifChanged = async () => {
    try {
      if ((await position(database)) !== lastPosition) await now();
    } catch (error) {
      log.error({ err: error }, "the backup failed");
    }
  };

  database.lock?.answer(COMMAND, now);
  const timer = automatic ? setInterval(ifChanged, env.BACKUP_MINUTES * 60_000).unref() : undefined;
  return {
    now,
    async stop() {
      clearInterval(timer);
      await making?.catch(() => undefined);
      if (automatic) await ifChanged();
    },
  };
}

/** Where the write-ahead log ends: it grows with every change. */
async function position({ db }: Database): Promise<string | undefined> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_insert_lsn()::text as lsn`.execute(db);
  return rows[0]?.lsn;
}

/** Keeps the newest, and removes what a killed process left half written. */
async function removeOld(folder: string): Promise<void> {
  const names = (await readdir(folder)).sort();
  const whole = names.filter((name) => name.endsWith(".ndjson.gz"));
  const halves = names.filter((name) => name.endsWith(".ndjson.gz.tmp") || /\.ndjson\.gz\.[0-9a-f-]+\.tmp$/.test(name));
  for (const name of [...whole.slice(0, -KEPT), ...halves]) await rm(join(folder, basename(name)), { force: true });
}
