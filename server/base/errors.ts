import type { ErrorCode } from "../../shared/api/protocol/errorCode";

/**
 * An error that the server sends as the response, with its status and message. The functions below create the usual
 * ones.
 */
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
  /** Name of the error, for clients that react to it. */
  code?: ErrorCode;
  /** Numbers that belong to the code, e.g. the actual total. */
  facts?: Record<string, number>;
}

/** Reasons by input field, e.g. { "name": "must not be empty" }. */
export type FieldErrors = Record<string, string>;

/** An invalid setting. The message is one line that names the setting and the allowed values. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** Thrown when a signal ends the process while it is still waiting to start. */
export class StoppedError extends ConfigurationError {}

export const badRequest = (message: string, errors?: FieldErrors) => new HttpError(400, message, { errors });

export const unauthorized = (message = "Please log in.") => new HttpError(401, message);

export const forbidden = (message = "You may not do this.") => new HttpError(403, message);

export const notFound = (message = "Not found.") => new HttpError(404, message);

/**
 * 404 for an image that does not exist, is deleted, or is not visible to the user. The code lets pages recognize this
 * error.
 */
export const imageNotFound = () => new HttpError(404, "Invalid image id", { code: "image_not_found" });

/** Message for viewers of a dataset, who may not change it. */
export const READ_ONLY = "You can look at this dataset but not change it.";

/** 403 for a viewer's attempt to change something. The code lets pages recognize this error. */
export const readOnly = () => new HttpError(403, READ_ONLY, { code: "read_only" });

/** Returns a handler for `catch` that replaces a 404 with another message or error, and rethrows any other error. */
export const absentAs =
  (absent: string | (() => HttpError)) =>
  (error: unknown): never => {
    if (!(error instanceof HttpError && error.status === 404)) throw error;
    throw typeof absent === "string" ? notFound(absent) : absent();
  };

export const conflict = (message: string, errors?: FieldErrors) => new HttpError(409, message, { errors });

/** 409 for ids of another installation, where the same numbers may stand for other images and users. */
export const otherInstallation = () =>
  new HttpError(
    409,
    "The server's data was restored or replaced since this page was loaded. Reload the page. Your changes are kept on this device.",
    { code: "other_installation" },
  );

/** 409 for a page that was loaded for one user, after another user has logged in in the same browser. */
export const otherUser = () =>
  new HttpError(409, "Another user has logged in in this browser. Nothing was changed.", { code: "other_user" });

/** 409 for a repeated command if the process that first executed it ended before it stored the outcome. */
export const outcomeUnknown = () =>
  new HttpError(
    409,
    "The server stopped before it could confirm this. It may have been stored in whole or in part. Check the result before you try again.",
    { code: "outcome_unknown" },
  );

/** 412 for a change of a revision that is no longer the newest. */
export const revisionChanged = (revision: number) =>
  new HttpError(412, "This has changed since it was loaded. Load it again and repeat your change.", {
    code: "revision_changed",
    facts: { revision },
  });

export const tooLarge = (message = "This is too large.") => new HttpError(413, message);

export const tooMany = (retryAfterSeconds: number, message = "Too many attempts. Please wait.") =>
  new HttpError(429, message, { headers: { "Retry-After": String(retryAfterSeconds) } });

export const unavailable = (
  message = "The server cannot do this right now. Please try again.",
  retryAfterSeconds = 2,
) => new HttpError(503, message, { headers: { "Retry-After": String(retryAfterSeconds) } });

export const diskFull = () => unavailable("The server's disk is full.", 30);

/**
 * Returns the SQLSTATE (https://www.postgresql.org/docs/15/errcodes-appendix.html) or system error code of an error, or
 * "" if it has none.
 */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/**
 * Returns the error response for a database or storage error, and an HttpError unchanged. Returns undefined for any
 * other error, which the caller handles as a bug.
 */
export function errorFromSql(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  const code = codeOf(error);
  if (INPUT.test(code)) return badRequest("A value has the wrong form or is out of range.");
  if (code === "23505") return conflict("This already exists.");
  if (isFull(error)) return diskFull();
  if (UNAVAILABLE.test(code) || isLostConnection(error)) return unavailable("The database is not responding.");
  return undefined;
}

/** Returns true if the error was caused by a full disk, of the server or of the database. */
export const isFull = (error: unknown): boolean => ["ENOSPC", "EDQUOT", "53100"].includes(codeOf(error));

/** SQLSTATEs of invalid or too large values and parameters. */
const INPUT = /^(22...|08P01|54001|54000)$/;

/**
 * Codes of an unavailable database: down, starting, stopping, full, timed out, or deadlocked after all retries. Also
 * codes of too many open files and failed name lookups.
 */
const UNAVAILABLE =
  /^(08...|53...|57P0.|57014|55P03|25P03|40001|40P01|58030|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EMFILE|ENFILE|ENOTFOUND|EAI_AGAIN)$/;

/** Returns true if the connection was lost or timed out, for which pg throws errors without a code. */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some((each) => UNAVAILABLE.test(codeOf(each)));
  return /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Client was closed)/.test(
    error.message,
  );
}
