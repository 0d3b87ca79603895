import { execFileSync } from "node:child_process";
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "./folders";

/** A disk that fails on demand, for programs started with `env`. */
export interface FaultyDisk {
  env: Record<string, string>;
  /** Makes writing or syncing of files whose path contains `part` fail from now on. */
  fail(error: "EIO" | "EROFS" | "ENOSPC", call: "write" | "sync", part: string): void;
  heal(): void;
}

/** Compiles faultyDisk.c. Returns undefined, with a warning, without gcc or LD_PRELOAD. */
export function makeFaultyDisk(): FaultyDisk | undefined {
  const folder = temporaryFolder();
  const library = join(folder, "faultyDisk.so");
  const control = join(folder, "fault");
  try {
    if (process.platform !== "linux") throw new Error("no LD_PRELOAD");
    execFileSync("gcc", ["-shared", "-fPIC", "-o", library, "tests/support/faultyDisk.c", "-ldl"], { stdio: "pipe" });
  } catch (error) {
    console.warn(`SKIPPED: faults of the disk need gcc on Linux (${error instanceof Error ? error.message : error}).`);
    return undefined;
  }
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  return {
    env: { LD_PRELOAD: library, FAULT_FILE: control },
    fail(error, call, part) {
      writeFileSync(`${control}.new`, `${constants.errno[error]} ${call} ${part}\n`);
      renameSync(`${control}.new`, control);
    },
    heal: () => rmSync(control, { force: true }),
  };
}
