import type { ErrorCode } from "../../shared/api/protocol/errorCode";

/** Error responses of the server: one function per error. */

export class HttpError extends Error {
  readonly status: number;
  readonly errors: FieldErrors | undefined;
  readonly headers: Record<string, string> | undefined;
  readonly code: ErrorCode | undefined;
  readonly facts: Record<string, number> | undefined;

  constructor(status: number, message: string, more: ErrorDetails = {}) {
    super(message);
    this.name = "HttpError";
    this.status = status;
    this.errors = more.errors;
    this.headers = more.headers;
    this.code = more.code;
    this.facts = more.facts;
  }
}

interface ErrorDetails {
  errors?: FieldErrors;
  headers?: Record<string, string>;
  /** Name of the case, where clients react to it. */
  code?: ErrorCode;
  /** Numbers that go with the code, e.g. the true total. */
  facts?: Record<string, number>;
}

/** Reasons by field of the input, e.g. { "name": "must not be empty" }. */
export type FieldErrors = Record<string, string>;

/** A wrong setting of the process: the message is one line that says which and what is allowed. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** Thrown when a signal ends the process while it still waits to begin. */
export class StoppedError extends ConfigurationError {}

export const badRequest = (message: string, errors?: FieldErrors) => new HttpError(400, message, { errors });

export const unauthorized = (message = "Please log in.") => new HttpError(401, message);

export const forbidden = (message = "You may not do this.") => new HttpError(403, message);

export const notFound = (message = "Not found.") => new HttpError(404, message);

/** 404 for an image that does not exist, is deleted, or that the user does not see: the page tells them apart. */
export const imageNotFound = () => new HttpError(404, "Invalid image id", { code: "image_not_found" });

/** For `catch`: throws another 404 (a message or an error) in place of a 404; any other error stays what it is. */
export const absentAs =
  (absent: string | (() => HttpError)) =>
  (error: unknown): never => {
    if (!(error instanceof HttpError && error.status === 404)) throw error;
    throw typeof absent === "string" ? notFound(absent) : absent();
  };

export const conflict = (message: string, errors?: FieldErrors) => new HttpError(409, message, { errors });

/** 409 for ids of another installation: the same numbers may mean other images and users here. */
export const otherInstallation = () =>
  new HttpError(
    409,
    "The server's data were restored or replaced since this page was loaded. Reload the page; what you made is kept on your device.",
    { code: "other_installation" },
  );

/** 409 for a command that was sent again, where the process that did it has ended before it could keep its outcome. */
export const outcomeUnknown = () =>
  new HttpError(
    409,
    "This was stored, perhaps not all of it, but the server was stopped before it could say so. Look at what is there now before you do it again.",
    { code: "outcome_unknown" },
  );

/** 412 for a call that names the revision it was made for, where there is a newer one. */
export const revisionChanged = (revision: number) =>
  new HttpError(412, "This was changed since it was loaded. Load it again, then send the change once more.", {
    code: "revision_changed",
    facts: { revision },
  });

export const tooLarge = (message = "This is too large.") => new HttpError(413, message);

export const tooMany = (retryAfterSeconds: number, message = "Too many tries. Please wait.") =>
  new HttpError(429, message, { headers: { "Retry-After": String(retryAfterSeconds) } });

export const unavailable = (message = "The server cannot do this just now. Please try again.", retryAfterSeconds = 2) =>
  new HttpError(503, message, { headers: { "Retry-After": String(retryAfterSeconds) } });

export const diskFull = () => unavailable("The server's disk is full.", 30);

/** The SQLSTATE (https://www.postgresql.org/docs/15/errcodes-appendix.html) or system error code of an error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/**
 * The answer to an error of the database or the disk; undefined when it is a bug, which the caller logs and answers
 * with 500.
 */
export function errorFromSql(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  const code = codeOf(error);
  if (INPUT.test(code)) return badRequest("A value has the wrong form or is out of range.");
  if (code === "23505") return conflict("This exists already.");
  if (isFull(error)) return diskFull();
  if (AWAY.test(code) || isLostConnection(error)) return unavailable("The database does not answer just now.");
  return undefined;
}

/** The disk of the files, or the database's. */
export const isFull = (error: unknown): boolean => ["ENOSPC", "EDQUOT", "53100"].includes(codeOf(error));

/** Wrong values and wrong parameters. */
const INPUT = /^(22...|08P01|54001|54000)$/;

/** Away, starting, stopping, full, timed out on a lock or statement, deadlocked to the end of the retries. */
const AWAY =
  /^(08...|53...|57P0.|57014|55P03|25P03|40001|40P01|58030|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EMFILE|ENFILE|ENOTFOUND|EAI_AGAIN)$/;

/** pg gives these without a code. */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some((each) => AWAY.test(codeOf(each)));
  return /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Client was closed)/.test(
    error.message,
  );
}
