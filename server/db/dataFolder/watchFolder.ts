import { type BigIntStats, statSync } from "node:fs";
import { codeOf } from "../../base/errors";

/** Watch that detects when files of this process are deleted or replaced by others of the same name. */
export interface FolderWatch {
  /** Throws if a file is no longer the original one, and on every call from then on. */
  check(): void;
  stop(): void;
}

/** Milliseconds between two checks while there are no queries. */
const PERIOD_MS = 1_000;

/**
 * Watches `files`, which must exist. Identifies a file by inode and creation time, since a new file may get the inode
 * of a deleted one. Calls `onGone` once, with an error that contains the remedy.
 */
export function watchFolder(folder: string, files: string[], onGone: (error: Error) => void): FolderWatch {
  const first = new Map(files.map((file) => [file, identityOf(file)]));
  let gone: Error | undefined;

  const check = () => {
    if (gone) throw gone;
    for (const [file, identity] of first) {
      const now = identityOf(file);
      if (now === identity) continue;
      gone = goneError(folder, file, now === undefined);
      clearInterval(timer);
      onGone(gone);
      throw gone;
    }
  };
  const checkQuietly = () => {
    try {
      check();
    } catch {
      // Either onGone was called, or the disk does not respond: then the next query fails as well.
    }
  };
  const timer = setInterval(checkQuietly, PERIOD_MS).unref();
  return { check, stop: () => clearInterval(timer) };
}

/**
 * Returns a file's identity; undefined if the file does not exist. Throws SQLSTATE 58030 (I/O error) if the disk does
 * not respond.
 */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino, birthtimeNs }: BigIntStats = statSync(file, { bigint: true });
    return `${dev}-${ino}-${birthtimeNs}`;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return undefined;
    throw Object.assign(new Error(`${file} cannot be examined: ${codeOf(error)}`, { cause: error }), { code: "58030" });
  }
}

/** Returns an error with SQLSTATE 57P02, like that of a database that has crashed. */
function goneError(folder: string, file: string, isMissing: boolean): Error {
  const what = isMissing ? "deleted or moved away" : "replaced by another";
  return Object.assign(
    new Error(
      `The data folder ${folder} was ${what} while Limn was running (${file}), so nothing more can be saved and Limn stops. ` +
        "Put the folder back, or restore a backup (npm run restore -- FILE); then start Limn again.",
    ),
    { code: "57P02" },
  );
}
