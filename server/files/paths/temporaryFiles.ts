import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { tidyTemporary } from "./tidyTemporary";

/** Files that live for one request or one step of a task, under the data folder. */
export interface TemporaryFiles {
  /** A path where nothing is yet, in a folder that exists. */
  make(): Promise<string>;
  remove(file: string): Promise<void>;
  /** Removes what killed processes left: what is older than `minAgeMs` milliseconds. */
  tidy(minAgeMs: number): Promise<void>;
}

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
