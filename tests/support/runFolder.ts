import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "limn-run-";

/** A file system in memory, on most Linux systems. */
const MEMORY = "/dev/shm";

/**
 * Bytes that must be free in that file system, and of memory, for a run to keep its files there. It uses about 2 GiB at
 * most.
 */
const ENOUGH = 6 * 2 ** 30;

/**
 * Creates the folder that contains all temporary folders of this run of the tests and of the programs that it starts,
 * and returns a function that removes it. Tests remove their folders themselves, but not when they are killed, nor
 * those that Playwright's main process creates when it only lists the tests of a file. Folders of killed runs are
 * removed here.
 *
 * The folder is in memory if there is enough: each server's data folder has about a thousand files, and creating and
 * removing them on a disk takes as much CPU time as a third of the server's start.
 */
export function openRunFolder(): () => void {
  const parent = parentFolder();
  for (const name of readdirSync(parent))
    if (name.startsWith(PREFIX) && !isAlive(Number(name.slice(PREFIX.length)))) removeLeftovers(join(parent, name));
  const folder = join(parent, `${PREFIX}${process.pid}`);
  // PostgreSQL's own user must reach its folder.
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  process.env.LIMN_RUN_FOLDER = folder;
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Creates an empty folder `limn-<name>-…`. The caller removes it; the end of the run does at the latest. */
export function newFolder(name: string): string {
  return mkdtempSync(join(process.env.LIMN_RUN_FOLDER ?? tmpdir(), `limn-${name}-`));
}

/** A disk that a killed test had mounted there cannot be removed. It must not keep later runs from starting. */
function removeLeftovers(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    console.warn(`The folder of an earlier run of the tests remains: ${String(error)}`);
  }
}

function parentFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const isLarge = bavail * bsize >= ENOUGH && freemem() >= ENOUGH;
    // Some containers forbid programs there, and a test loads a library that it has compiled.
    const mount = readFileSync("/proc/mounts", "utf8").match(new RegExp(`^\\S+ ${MEMORY} .*$`, "m"));
    if (isLarge && mount && !mount[0].includes("noexec")) return MEMORY;
  } catch {
    // There is no file system in memory.
  }
  return tmpdir();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
