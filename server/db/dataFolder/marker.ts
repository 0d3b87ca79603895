import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../base/errors";

/**
 * File in the data folder with the id of the database that the folder belongs to. Its name does not start with a dot,
 * so that `cp -r data/*` copies it.
 */
const NAME = "installation.json";

/** Returns the id; undefined if there is no marker, "" if it cannot be parsed. */
export function readMarker(dataFolder: string): string | undefined {
  try {
    const { installation }: { installation?: unknown } = JSON.parse(readFileSync(join(dataFolder, NAME), "utf8"));
    return typeof installation === "string" ? installation : "";
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return undefined;
    if (error instanceof SyntaxError) return "";
    throw error;
  }
}

/** Writes the marker atomically and flushes it to disk. */
export function writeMarker(dataFolder: string, id: string): void {
  mkdirSync(dataFolder, { recursive: true });
  const path = join(dataFolder, NAME);
  const draft = `${path}.${process.pid}.tmp`;
  const file = openSync(draft, "w", 0o600);
  try {
    writeSync(file, `${JSON.stringify({ installation: id })}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
