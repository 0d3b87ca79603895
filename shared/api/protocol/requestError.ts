import { INVALID_INPUT, withField } from "../../rules/reasonFor";
import { type ErrorCode, isErrorCode } from "./errorCode";

/**
 * Error of a failed request. `status` is 0 if the server could not be reached. Shown as a toast: `title` above
 * `message`.
 */
export class RequestError extends Error {
  override name = "RequestError";

  constructor(
    readonly status: number,
    /** Title of the call, from the specification's error catalogue. */
    readonly title: string,
    message: string,
    /** The reason for each invalid field, as received, if the response has them. */
    readonly errors: unknown = undefined,
    /** Seconds to wait before trying again (429, 503), or null. */
    readonly retryAfter: number | null = null,
    /** Code of the error, and the numbers that belong to it, if the server sent them. */
    readonly code: ErrorCode | null = null,
    readonly facts: Readonly<Record<string, number>> = {},
  ) {
    super(message);
  }

  get isOffline(): boolean {
    return this.status === 0;
  }
}

const OFFLINE = "The server cannot be reached.";

export function unreachableError(title: string): RequestError {
  return new RequestError(0, title, OFFLINE);
}

/** Error of a call that was given up after `minutes` without a response. */
export class NoResponseError extends RequestError {
  constructor(title: string, minutes: number, isCommand: boolean) {
    const message = `The server has not responded for ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
    super(0, title, isCommand ? `${message} ${REPEATABLE}` : message);
  }
}

const REPEATABLE = "It may have done this anyway; trying again will not do it twice.";

/** Returns the error for a response with a failing status. The body may be anything, even a proxy's HTML page. */
export function errorOfResponse(title: string, status: number, body: string, retryAfter: string | null): RequestError {
  const answer = parseObject(body);
  const message =
    typeof answer.message === "string" && answer.message
      ? withReasons(answer.message, answer.errors)
      : fallback(status);
  const seconds = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  const code = isErrorCode(answer.code) ? answer.code : null;
  return new RequestError(status, title, message, answer.errors, seconds, code, numbersIn(answer.facts));
}

function numbersIn(facts: unknown): Record<string, number> {
  if (typeof facts !== "object" || facts === null) return {};
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => typeof fact === "number"));
}

/** Largest number of reasons in a message. */
const MAX_REASONS = 3;

/** Adds the reasons of single fields to the message for invalid input; other messages are complete. */
function withReasons(message: string, errors: unknown): string {
  if (message !== INVALID_INPUT || typeof errors !== "object" || errors === null) return message;
  const reasons = Object.entries(errors).flatMap(([field, reason]) =>
    typeof reason === "string" ? [withField(field, reason)] : [],
  );
  const rest = reasons.length > MAX_REASONS ? [`… and ${reasons.length - MAX_REASONS} more`] : [];
  return [...reasons.slice(0, MAX_REASONS), ...rest].join("\n") || message;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function fallback(status: number): string {
  if (status === 413) return "The request is larger than the server accepts.";
  if (status === 502 || status === 503 || status === 504) return "The server is not available at the moment.";
  return `The server responded with status ${status}.`;
}
