import { RequestError } from "../../shared/api/protocol/requestError";

/** Exit codes of the command line, listed in docs/guide/command-line.md. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notLoggedIn: 3,
  unreachable: 4,
  otherVersion: 5,
  interrupted: 130,
} as const;

/** An error whose message is printed as it is. */
export class CommandError extends Error {
  override name = "CommandError";

  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
  ) {
    super(message);
  }
}

export const usageError = (message: string) => new CommandError(message, EXIT.usage);

/** Returns the exit code and the text for any error. `url`: address of the server. */
export function describeError(error: unknown, url: string): { exitCode: number; message: string } {
  if (error instanceof CommandError) return { exitCode: error.exitCode, message: error.message };
  if (error instanceof RequestError) return describeRequestError(error, url);
  const isUsage = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  if (isUsage) return { exitCode: EXIT.usage, message: error.message };
  return { exitCode: EXIT.failed, message: error instanceof Error ? error.message : String(error) };
}

function describeRequestError(error: RequestError, url: string): { exitCode: number; message: string } {
  if (error.isOffline)
    return {
      exitCode: EXIT.unreachable,
      message: `No server responds at ${url}. Is it running, and is the address right?`,
    };
  if (error.status === 401)
    return {
      exitCode: EXIT.notLoggedIn,
      message: `${url} does not accept the token. It may be expired or revoked: create another one on the user page, then run "login".`,
    };
  return { exitCode: EXIT.failed, message: `${error.title}: ${error.message}` };
}
