import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Returns the folder for backups within a data folder. */
export function backupFolder(dataFolder: string): string {
  return join(dataFolder, "backups");
}

/** A backup, identified by its file name. */
export interface BackupFile {
  path: string;
  /** Increases with every backup in the folder; 0 for backups from before numbering. */
  number: number;
}

const NUMBERED = /^backup-(\d+)-.*\.ndjson\.gz$/;
const UNNUMBERED = /^\d{4}-\d\d-\d\dT[\d-]+Z\.ndjson\.gz$/;
/** Name of a backup that is being written, or was left by a killed process. */
const DRAFT = /\.ndjson\.gz(\.[0-9a-f-]+)?\.tmp$/;

/** Returns the file name of a backup. The time in it is informational; no code reads it. */
export function backupName(number: number): string {
  return `backup-${String(number).padStart(6, "0")}-${new Date().toISOString().replaceAll(/[:.]/g, "-")}.ndjson.gz`;
}

/** Returns the folder's backups, oldest first. Ignores files with other names. */
export async function listBackups(folder: string): Promise<BackupFile[]> {
  const files = (await namesIn(folder)).flatMap((name) => {
    const number = UNNUMBERED.test(name) ? "0" : NUMBERED.exec(name)?.[1];
    return number === undefined ? [] : [{ path: join(folder, name), number: Number(number) }];
  });
  return files.sort((a, b) => a.number - b.number || (a.path < b.path ? -1 : 1));
}

/**
 * Removes incomplete backups that have not been written to for `idleMs` milliseconds: their processes were killed. A
 * time in the future counts like one in the past: the clock may have been set back, or be less precise than the file's
 * time.
 */
export async function removeDrafts(folder: string, idleMs: number): Promise<void> {
  for (const name of (await namesIn(folder)).filter((name) => DRAFT.test(name))) {
    const path = join(folder, name);
    const modified = (await stat(path).catch(() => undefined))?.mtimeMs;
    if (modified !== undefined && Math.abs(Date.now() - modified) >= idleMs) await rm(path, { force: true });
  }
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
