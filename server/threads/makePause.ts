import { setImmediate as othersFirst } from "node:timers/promises";

/** Longest time that one piece of work may hold the thread that answers all requests: a save waits at each of its statements. */
const TURN_MS = 3;

/** For long work that has no other waits: awaited between its parts, it lets others have their turn when it is time. */
export function makePause(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await othersFirst();
    since = performance.now();
  };
}
