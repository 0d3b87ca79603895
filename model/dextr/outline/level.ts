import { EVEN_THRESHOLD, PROBABILITY_MAX, PROBABILITY_MIN } from "../base/recipe";

const POWER = Math.log(0.5) / Math.log(EVEN_THRESHOLD / 100);

/**
 * Returns the probability for a threshold (0 to 100): (threshold / 100) ^ 3.106, so that 80 is one half. Kept slightly
 * inside 0..1, since the network never quite reaches the ends. Throws an Error for a threshold out of range.
 */
export function levelOf(threshold: number): number {
  if (!(threshold >= 0 && threshold <= 100)) throw new Error("DEXTR needs a threshold of 0 to 100.");
  return Math.min(Math.max((threshold / 100) ** POWER, PROBABILITY_MIN), PROBABILITY_MAX);
}
