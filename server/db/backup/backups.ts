import { sql } from "kysely";
import type { Env } from "../../base/env";
import { log } from "../../base/log";
import { backupFolder, removeDrafts } from "../backupFiles/backupFolder";
import { keepGenerations } from "../backupFiles/generations";
import { inBackground } from "../lanes";
import type { Database } from "../open/database";
import { backUp, draftIdleMs } from "./backup";

/** Backups of the embedded database: periodic, on demand and at shutdown. */
export interface Backups {
  /** Makes a backup, or waits for the one in progress; returns its path. */
  now(): Promise<string>;
  /** Stops the timer, and makes a last backup if anything has changed. Never throws, since the process is stopping. */
  stop(): Promise<void>;
}

const COMMAND = "backup";

/**
 * Makes a backup every `BACKUP_MINUTES` if anything was written since the last one, and one at shutdown. Removes old
 * backups (see generations.ts) and drafts of killed processes. Other processes request a backup through the folder
 * lock. A PostgreSQL server is backed up by its operator, so for a server backups are made only on request.
 */
export function startBackups(database: Database, env: Pick<Env, "DATA_DIR" | "BACKUP_MINUTES">): Backups {
  const folder = backupFolder(env.DATA_DIR);
  const automatic = database.kind === "embedded" && env.BACKUP_MINUTES > 0;
  let making: Promise<string> | undefined;
  let lastPosition: string | undefined;

  const make = async () => {
    await tidying;
    const path = await inBackground(() => backUp(database, folder));
    lastPosition = await position(database);
    await keepGenerations(folder);
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

  const tidying = removeDrafts(folder, draftIdleMs(database.kind)).catch((error: unknown) =>
    log.warn({ err: error }, "incomplete backups could not be removed"),
  );
  database.lock?.onCommand(COMMAND, now);
  const timer = automatic ? setInterval(ifChanged, env.BACKUP_MINUTES * 60_000).unref() : undefined;
  return {
    now,
    async stop() {
      clearInterval(timer);
      await tidying;
      await making?.catch(() => undefined);
      if (automatic) await ifChanged();
    },
  };
}

/** Returns the end of the write-ahead log, which grows with every change. */
async function position({ db }: Database): Promise<string | undefined> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_insert_lsn()::text as lsn`.execute(db);
  return rows[0]?.lsn;
}
