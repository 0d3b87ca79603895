import { RequestError, UnansweredError } from "../../../shared/api/protocol/requestError";

interface PatienceOptions {
  /** How often it is asked in all. */
  tries: number;
  /** Milliseconds before the second try; twice as long before each further one. */
  pause: number;
  signal?: AbortSignal;
}

/**
 * Asks again, later each time, where the server was away for a moment. Throws the last failure, anything else at once, and
 * the signal's reason.
 */
export async function patiently<T>(ask: () => Promise<T>, { tries, pause, signal }: PatienceOptions): Promise<T> {
  for (let left = tries - 1, wait = pause; ; left--, wait *= 2) {
    try {
      return await ask();
    } catch (error) {
      signal?.throwIfAborted();
      if (left === 0 || !isPassing(error)) throw error;
    }
    await new Promise((later) => setTimeout(later, wait));
    signal?.throwIfAborted();
  }
}

/** The connection has broken, or what stands before the server could not reach it. */
const isPassing = (error: unknown): boolean =>
  error instanceof RequestError &&
  !(error instanceof UnansweredError) &&
  error.retryAfter === null &&
  [0, 502, 503, 504].includes(error.status);
