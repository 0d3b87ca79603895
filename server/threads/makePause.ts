import { setImmediate as yieldToOthers } from "node:timers/promises";

/**
 * Longest time for which one piece of work may block the server's main thread: a save waits at each of its statements.
 */
const TURN_MS = 3;

/**
 * Returns a function to await between the parts of long work: it yields to other work once TURN_MS have passed, and
 * returns undefined before, which need not be awaited.
 */
export function makePause(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN_MS) return undefined;
    return yieldToOthers().then(() => {
      since = performance.now();
    });
  };
}
