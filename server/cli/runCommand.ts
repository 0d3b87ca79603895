import { ConfigurationError, errorFromSql } from "../base/errors";
import { log } from "../base/log";

/**
 * Runs an operator's command. Exits with the exit code that the command has set, or 0; if it throws, prints the error
 * and exits with 1.
 */
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
