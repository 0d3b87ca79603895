import { type BigIntStats, statSync } from "node:fs";
import { codeOf } from "../../base/errors";

/** Notices that files of this process were deleted, or replaced by others of the same name. */
export interface FolderWatch {
  /** Throws, from the first time on for ever, when a file is not the one that was there at the beginning. */
  check(): void;
  stop(): void;
}

/** Milliseconds between two looks where nobody asks. */
const PERIOD_MS = 1_000;

/**
 * Watches `files`, which must be there. A file is told by its inode and its birth, since a new file may get the inode of
 * one that was deleted. `onGone` is called once, with an error that says what to do.
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
  const look = () => {
    try {
      check();
    } catch {
      // Either onGone knows, or the disk does not answer: then the next query fails as well.
    }
  };
  const timer = setInterval(look, PERIOD_MS).unref();
  return { check, stop: () => clearInterval(timer) };
}

/** Undefined when the file is not there. Throws SQLSTATE 58030 (I/O error) when the disk does not say. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino, birthtimeNs }: BigIntStats = statSync(file, { bigint: true });
    return `${dev}-${ino}-${birthtimeNs}`;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return undefined;
    throw Object.assign(new Error(`${file} cannot be examined: ${codeOf(error)}`, { cause: error }), { code: "58030" });
  }
}

/** SQLSTATE 57P02, as for a database that has crashed. */
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
