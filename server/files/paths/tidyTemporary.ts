import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Removes files that killed processes left in the temporary folder: those older than `minAgeMs` milliseconds. */
export async function tidyTemporary(folder: string, minAgeMs: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs >= minAgeMs) await rm(path, { recursive: true, force: true });
  }
}
