import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { tidyTemporary } from "./tidyTemporary";

/** Files under the data folder that exist for one request or one step of a task. */
export interface TemporaryFiles {
  /** Returns an unused path in an existing folder. */
  make(): Promise<string>;
  remove(file: string): Promise<void>;
  /** Removes files left by killed processes: those older than `minAgeMs` milliseconds. */
  tidy(minAgeMs: number): Promise<void>;
}

/** Returns the folder for temporary files. */
export const temporaryFolder = ({ DATA_DIR }: { DATA_DIR: string }): string => join(DATA_DIR, "tmp");

export function makeTemporaryFiles(folder: string): TemporaryFiles {
  return {
    async make() {
      await mkdir(folder, { recursive: true });
      return join(folder, randomUUID());
    },
    remove: (file) => rm(file, { force: true }),
    tidy: (minAgeMs) => tidyTemporary(folder, minAgeMs),
  };
}
