import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { COMMAND_HEADER } from "../../shared/api/protocol/headers";
import { BackOff, type BackOffRange } from "../../shared/async/backOff";

interface Init {
  method: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

export interface RetryOptions {
  signal: AbortSignal;
  /** Called before each pause, with its length in seconds. */
  onRetry?: ((seconds: number, reason: string) => void) | undefined;
  range?: BackOffRange;
}

const MAX_TRIES = 6;
const RANGE: BackOffRange = { first: 500, longest: 20_000 };
const MAX_WAIT_SECONDS = 120;
const UNAVAILABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Returns a `fetch` that repeats requests with a growing pause, or after the pause that the server asks for. A command
 * gets an id, with which the server does it only once. An upload has none: it is repeated because images are stored by
 * path. An import is not repeated when its connection breaks, since the server may have started it.
 */
export function makeRetryingFetch({ signal, onRetry, range = RANGE }: RetryOptions) {
  return async (address: string, init: Init): Promise<Response> => {
    const isForm = init.body instanceof FormData;
    const headers = isForm ? init.headers : { ...init.headers, [COMMAND_HEADER]: randomUUID() };
    const isRepeatable = !isForm || /\/upload$/.test(new URL(address).pathname);
    const backOff = new BackOff(range);
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted();
      const outcome = await fetch(address, { ...init, headers, signal }).catch((error: unknown) => error);
      signal.throwIfAborted();
      const isLast = tries === MAX_TRIES;
      if (outcome instanceof Response) {
        if (isLast || !UNAVAILABLE.has(outcome.status)) return outcome;
        const seconds = Number(outcome.headers.get("Retry-After") ?? "0");
        if (!(seconds <= MAX_WAIT_SECONDS)) return outcome;
        await outcome.body?.cancel();
        await pause(Math.max(1000 * seconds, backOff.next()), `status ${outcome.status}`);
      } else {
        if (isLast || !isRepeatable) throw outcome;
        await pause(backOff.next(), "no response");
      }
    }
  };

  async function pause(ms: number, reason: string): Promise<void> {
    onRetry?.(ms / 1000, reason);
    await wait(ms, undefined, { signal });
  }
}
