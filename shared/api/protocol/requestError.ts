import { INVALID_INPUT, withField } from "../../rules/reasonFor";
import { type ErrorCode, isErrorCode } from "./errorCode";

/**
 * The reason why a request failed. `status` 0: the server could not be reached. Shown as a toast: `title` over
 * `message`.
 */
export class RequestError extends Error {
  override name = "RequestError";

  constructor(
    readonly status: number,
    /** Of the call, as the specification's error catalogue words it. */
    readonly title: string,
    message: string,
    /** The reason for each invalid field, if the response has them; as received. */
    readonly errors: unknown = undefined,
    /** Seconds after which another try makes sense (429, 503), or null. */
    readonly retryAfter: number | null = null,
    /** Name of the case, and numbers that go with it, where the server says so. */
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

export function unreachable(title: string): RequestError {
  return new RequestError(0, title, OFFLINE);
}

/** Thrown where a call was given up because no response came in time. `minutes`: how long it was waited for. */
export class UnansweredError extends RequestError {
  constructor(title: string, minutes: number, isCommand: boolean) {
    const message = `The server has not responded for ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
    super(0, title, isCommand ? `${message} ${REPEATABLE}` : message);
  }
}

const REPEATABLE = "It may have done this all the same; trying again does it only once.";

/** The error that an answer with a failing status tells. The body may be anything, a proxy's HTML page too. */
export function failed(title: string, status: number, body: string, retryAfter: string | null): RequestError {
  const answer = parseObject(body);
  const message =
    typeof answer.message === "string" && answer.message ? told(answer.message, answer.errors) : fallback(status);
  const seconds = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  const code = isErrorCode(answer.code) ? answer.code : null;
  return new RequestError(status, title, message, answer.errors, seconds, code, numbersIn(answer.facts));
}

function numbersIn(facts: unknown): Record<string, number> {
  if (typeof facts !== "object" || facts === null) return {};
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => typeof fact === "number"));
}

/** Reasons that are named, of a form with many mistakes. */
const MOST_NAMED = 3;

/** Adds the reasons of single fields to the message for invalid input; other messages are complete. */
function told(message: string, errors: unknown): string {
  if (message !== INVALID_INPUT || typeof errors !== "object" || errors === null) return message;
  const reasons = Object.entries(errors).flatMap(([field, reason]) =>
    typeof reason === "string" ? [withField(field, reason)] : [],
  );
  const rest = reasons.length > MOST_NAMED ? [`… and ${reasons.length - MOST_NAMED} more`] : [];
  return [...reasons.slice(0, MOST_NAMED), ...rest].join("\n") || message;
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
  if (status === 413) return "This is larger than the server takes.";
  if (status === 502 || status === 503 || status === 504) return "The server is not available at the moment.";
  return `The server answered with status ${status}.`;
}
