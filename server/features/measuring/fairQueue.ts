import { tooMany } from "../../base/errors";

/** Runs work with limited concurrency, one piece of work of each requester at a time. */
export interface FairQueue {
  /**
   * Runs the work as soon as a place is free and `requester` has no other work running, first come first served. Throws
   * 429 if too much work of the requester is waiting, and the signal's reason if it is aborted before its turn.
   */
  run<T>(requester: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface Waiting {
  requester: string;
  start(): void;
}

const RETRY_SECONDS = 2;

/**
 * Creates a queue that runs `places` pieces of work at once. Up to `maxWaiting` pieces of work of each requester may
 * wait.
 */
export function makeFairQueue(places: number, maxWaiting: number): FairQueue {
  const busy = new Set<string>();
  const waiting: Waiting[] = [];

  const startNext = () => {
    if (busy.size >= places) return;
    const index = waiting.findIndex(({ requester }) => !busy.has(requester));
    const [first] = index < 0 ? [] : waiting.splice(index, 1);
    if (!first) return;
    busy.add(first.requester);
    first.start();
  };

  const turn = (requester: string, signal?: AbortSignal) =>
    new Promise<void>((start, reject) => {
      const call: Waiting = { requester, start };
      waiting.push(call);
      signal?.addEventListener("abort", () => {
        const index = waiting.indexOf(call);
        if (index < 0) return;
        waiting.splice(index, 1);
        reject(signal.reason);
      });
      startNext();
    });

  return {
    async run(requester, work, signal) {
      signal?.throwIfAborted();
      if (waiting.filter((each) => each.requester === requester).length >= maxWaiting)
        throw tooMany(RETRY_SECONDS, "Your earlier requests are still being processed. Please try again in a moment.");
      await turn(requester, signal);
      try {
        return await work();
      } finally {
        busy.delete(requester);
        startNext();
      }
    },
  };
}
