import { conflict, HttpError, tooMany, unavailable } from "../base/errors";

/**
 * Queue for a resource that serves one call at a time. A limited number of calls may wait, and only the newest of each
 * user.
 */
export interface Turns {
  /**
   * Runs the work when its turn comes. Throws 429 if all places are taken, 409 if replaced by a newer call of the same
   * user, 503 after `close`. A call whose signal aborts before its turn is dropped; work that has started continues
   * even then.
   */
  take<T>(userId: number, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Rejects all waiting and future calls. */
  close(): void;
}

interface Waiting {
  userId: number;
  go(): void;
  refuse(error: Error): void;
}

export function makeTurns(places: number): Turns {
  const waiting: Waiting[] = [];
  let busy = false;
  let closed = false;

  const wait = (userId: number, signal: AbortSignal) =>
    new Promise<void>((go, refuse) => {
      const call = { userId, go, refuse };
      const before = waiting.findIndex((other) => other.userId === userId);
      if (before >= 0) waiting.splice(before, 1, call)[0]?.refuse(conflict("A newer call replaced this one."));
      else if (waiting.length < places) waiting.push(call);
      else return refuse(tooMany(RETRY_SECONDS, "Too many users are using DEXTR at the moment. Please try again."));
      signal.addEventListener("abort", () => {
        const place = waiting.indexOf(call);
        if (place >= 0) waiting.splice(place, 1)[0]?.refuse(gone());
      });
    });

  const startNext = () => {
    const next = waiting.shift();
    if (next) next.go();
    else busy = false;
  };

  return {
    async take(userId, signal, work) {
      if (closed) throw stopping();
      if (signal.aborted) throw gone();
      if (busy) await wait(userId, signal);
      busy = true;
      try {
        return await work();
      } finally {
        startNext();
      }
    },
    close() {
      closed = true;
      for (const each of waiting.splice(0)) each.refuse(stopping());
    },
  };
}

const RETRY_SECONDS = 2;
/** The caller has disconnected, so no user sees this message. */
const gone = () => new HttpError(408, "The call was aborted.");
const stopping = () => unavailable("The server is stopping.");
