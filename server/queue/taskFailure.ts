import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { codeOf, errorFromSql, isFull } from "../base/errors";

/**
 * Returns true if the database was not available, so that a later attempt may succeed. Returns false for a full disk,
 * which an operator must free first.
 */
export function isTransient(error: unknown): boolean {
  return errorFromSql(error)?.status === 503 && !isFull(error);
}

/**
 * Returns the last log line of a failed task, without stack, path or SQL. Uses the message of an Error that the task
 * itself threw. Logs other errors, from bugs or the system, on the server under a number, and returns a line with that
 * number.
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
