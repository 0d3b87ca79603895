import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../base/errors";

/**
 * A file in the data folder that holds the id of the database the folder belongs to. Its name has no dot in front, so that
 * `cp -r data/*` takes it along.
 */
const NAME = "installation.json";

/** Returns the id; undefined where there is no marker, "" where it cannot be understood. */
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

/** Whole or not at all, and on the disk when this returns. */
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
