import { NoResponseError, RequestError } from "../../../shared/api/protocol/requestError";

interface RetryOptions {
  /** Maximum number of requests. */
  tries: number;
  /** Milliseconds before the second try; doubles with each further one. */
  pause: number;
  signal?: AbortSignal;
}

/**
 * Repeats a request with exponential back-off while the server cannot be reached. Throws the last failure after the
 * last try, any other error at once, and the signal's reason if aborted.
 */
export async function retryWhileUnreachable<T>(
  ask: () => Promise<T>,
  { tries, pause, signal }: RetryOptions,
): Promise<T> {
  for (let left = tries - 1, wait = pause; ; left--, wait *= 2) {
    try {
      return await ask();
    } catch (error) {
      signal?.throwIfAborted();
      if (left === 0 || !isWithoutResponse(error)) throw error;
    }
    await new Promise((later) => setTimeout(later, wait));
    signal?.throwIfAborted();
  }
}

/** Returns true if the connection broke or a proxy could not reach the server. */
export const isWithoutResponse = (error: unknown): boolean =>
  error instanceof RequestError &&
  !(error instanceof NoResponseError) &&
  error.retryAfter === null &&
  [0, 502, 503, 504].includes(error.status);
