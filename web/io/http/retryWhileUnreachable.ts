import { NoResponseError, RequestError } from "../../../shared/api/protocol/requestError";

/** Longest `Retry-After` of a 503 that is waited for, in seconds. A longer one is reported at once. */
const LONGEST_RETRY_AFTER = 5;

interface RetryOptions {
  /** Maximum number of requests. */
  tries: number;
  /** Milliseconds before the second try, or more if the server asks for it; doubles with each further try. */
  pause: number;
  signal?: AbortSignal;
}

/**
 * Repeats a request with exponential back-off while the server cannot be reached or is busy for a few seconds (503).
 * Throws the last failure after the last try, any other error at once, and the signal's reason if aborted.
 */
export async function retryWhileUnreachable<T>(
  ask: () => Promise<T>,
  { tries, pause, signal }: RetryOptions,
): Promise<T> {
  for (let left = tries - 1, wait = pause; ; left--, wait *= 2) {
    let asked = 0;
    try {
      return await ask();
    } catch (error) {
      signal?.throwIfAborted();
      asked = shortRetryAfter(error);
      if (left === 0 || (asked === 0 && !isWithoutResponse(error))) throw error;
    }
    await new Promise((later) => setTimeout(later, Math.max(wait, 1_000 * asked)));
    signal?.throwIfAborted();
  }
}

/** Returns the seconds after which a busy server wants the request again; 0 for other errors and for a long wait. */
function shortRetryAfter(error: unknown): number {
  if (!(error instanceof RequestError) || error.status !== 503) return 0;
  const seconds = error.retryAfter ?? 0;
  return seconds <= LONGEST_RETRY_AFTER ? seconds : 0;
}

/** Returns true if the connection broke or a proxy could not reach the server. */
export const isWithoutResponse = (error: unknown): boolean =>
  error instanceof RequestError &&
  !(error instanceof NoResponseError) &&
  error.retryAfter === null &&
  [0, 502, 503, 504].includes(error.status);
