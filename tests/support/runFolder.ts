import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "limn-run-";

/**
 * Creates the folder that contains all temporary folders of this run of the tests, and returns a function that removes
 * it. Tests remove their folders themselves, but not when they are killed, nor those that Playwright's main process
 * creates when it only lists the tests of a file. Folders of killed runs are removed here.
 */
export function openRunFolder(): () => void {
  for (const name of readdirSync(tmpdir()))
    if (name.startsWith(PREFIX) && !isAlive(Number(name.slice(PREFIX.length))))
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
  const folder = join(tmpdir(), `${PREFIX}${process.pid}`);
  // PostgreSQL's own user must reach its folder.
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  process.env.LIMN_RUN_FOLDER = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Creates an empty folder `limn-<name>-…`. The caller removes it; the end of the run does at the latest. */
export function newFolder(name: string): string {
  return mkdtempSync(join(process.env.LIMN_RUN_FOLDER ?? tmpdir(), `limn-${name}-`));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
