import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError, codeOf } from "../../base/errors";

/** Creates a folder if it does not exist. Throws ConfigurationError if files cannot be written to it. */
export function requireWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    rmSync(mkdtempSync(join(folder, ".limn-")), { recursive: true });
  } catch (error) {
    throw new ConfigurationError(`The folder ${folder} cannot be written to (${codeOf(error) || "unknown reason"}).`);
  }
}
