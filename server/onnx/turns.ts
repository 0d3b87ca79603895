import { conflict, HttpError, tooMany, unavailable } from "../base/errors";

/** The queue before something that serves one at a time: few may wait, and of each user only the newest call. */
export interface Turns {
  /**
   * Runs the work when its turn comes. Throws 429 where all places are taken, 409 when a newer call of the same user
   * takes this one's place, 503 after `close`. Whoever goes away (the signal) before the turn is dropped; work that has
   * begun goes on.
   */
  take<T>(userId: number, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Refuses those who wait, and all who come. */
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
      if (before >= 0) waiting.splice(before, 1, call)[0]?.refuse(conflict("A newer call took this one's place."));
      else if (waiting.length < places) waiting.push(call);
      else return refuse(tooMany(RETRY_SECONDS, "Many people are using DEXTR just now. Please try again."));
      signal.addEventListener("abort", () => {
        const place = waiting.indexOf(call);
        if (place >= 0) waiting.splice(place, 1)[0]?.refuse(gone());
      });
    });

  const pass = () => {
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
        pass();
      }
    },
    close() {
      closed = true;
      for (const each of waiting.splice(0)) each.refuse(stopping());
    },
  };
}

const RETRY_SECONDS = 2;
/** Nobody reads it. */
const gone = () => new HttpError(408, "The call was broken off.");
const stopping = () => unavailable("The server is stopping.");
