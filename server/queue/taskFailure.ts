import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { codeOf, errorFromSql, isFull } from "../base/errors";

/**
 * Returns true if a later attempt may succeed because the database was not available. A full disk needs an operator.
 */
export function isPassing(error: unknown): boolean {
  return errorFromSql(error)?.status === 503 && !isFull(error);
}

/**
 * Returns the last log line of a failed task, without stack, path or SQL. Uses the message of an Error that the task
 * itself threw; errors from bugs or the system are logged on the server under a number.
 */
export function failureText(error: unknown, log: Logger): string {
  const known = errorFromSql(error)?.message;
  if (known) return known;
  if (error instanceof Error && !isBug(error)) return withoutFolders(error.message.split("\n")[0] ?? "");
  const id = randomBytes(6).toString("hex");
  log.error({ err: error, id }, "unexpected error in a task");
  return `Something went wrong on the server (number ${id} in its log).`;
}

function isBug(error: Error): boolean {
  const builtIn = [TypeError, RangeError, ReferenceError, SyntaxError, AggregateError].some(
    (kind) => error instanceof kind,
  );
  return builtIn || codeOf(error) !== "" || error.message === "";
}

/** "no such file: /data/datasets/a.jpg" -> "no such file: a.jpg" */
function withoutFolders(text: string): string {
  return text.replace(/(?<=^|[\s'"(:=])\/(?:[^\s'"/]+\/)+(?=[^\s'"/])/g, "");
}
