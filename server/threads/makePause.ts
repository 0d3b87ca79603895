import { setImmediate as yieldToOthers } from "node:timers/promises";

/**
 * Longest time for which one piece of work may block the server's main thread: a save waits at each of its statements.
 */
const TURN_MS = 3;

/** Returns a function to await between the parts of long work: it yields to other work once TURN_MS have passed. */
export function makePause(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await yieldToOthers();
    since = performance.now();
  };
}
