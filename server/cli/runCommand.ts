import { ConfigurationError, errorFromSql } from "../base/errors";
import { log } from "../base/log";

/** Runs a command of the operator's: ends with 0, or with 1 after one line that says what was wrong. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  log.level = "warn";
  try {
    await command();
    process.exit(process.exitCode ?? 0);
  } catch (error) {
    console.error(textOf(error));
    process.exit(1);
  }
}

function textOf(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  const known = errorFromSql(error);
  if (known) return known.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
