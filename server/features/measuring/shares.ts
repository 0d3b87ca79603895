import { tooMany } from "../../base/errors";

/** Gives out places at something that few can use at once, to each of its takers one at a time. */
export interface Shares {
  /**
   * Runs the work as soon as a place is free and `taker` has no other, takers in the order in which they came. Throws
   * 429 where a taker waits with too much, and the signal's reason where it is aborted before its turn.
   */
  take<T>(taker: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface Waiting {
  taker: string;
  go(): void;
}

const RETRY_SECONDS = 2;

/** `places`: at once. `patience`: how many works of one taker may wait. */
export function makeShares(places: number, patience: number): Shares {
  const busy = new Set<string>();
  const waiting: Waiting[] = [];

  const next = () => {
    if (busy.size >= places) return;
    const index = waiting.findIndex(({ taker }) => !busy.has(taker));
    const [first] = index < 0 ? [] : waiting.splice(index, 1);
    if (!first) return;
    busy.add(first.taker);
    first.go();
  };

  const turn = (taker: string, signal?: AbortSignal) =>
    new Promise<void>((go, refuse) => {
      const call: Waiting = { taker, go };
      waiting.push(call);
      signal?.addEventListener("abort", () => {
        const index = waiting.indexOf(call);
        if (index < 0) return;
        waiting.splice(index, 1);
        refuse(signal.reason);
      });
      next();
    });

  return {
    async take(taker, work, signal) {
      signal?.throwIfAborted();
      if (waiting.filter((each) => each.taker === taker).length >= patience)
        throw tooMany(RETRY_SECONDS, "Your earlier shapes are still being measured. Please try again in a moment.");
      await turn(taker, signal);
      try {
        return await work();
      } finally {
        busy.delete(taker);
        next();
      }
    },
  };
}
