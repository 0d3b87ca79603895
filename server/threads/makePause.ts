import { setImmediate as yieldToOthers } from "node:timers/promises";

/**
 * Longest time for which long work may block the server's main thread. A save may wait that long at each of its SQL
 * statements.
 */
const TURN_MS = 3;

/**
 * Returns a function to await between the parts of long work: it yields to other work once TURN_MS have passed; before
 * that, it returns undefined, which need not be awaited.
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
