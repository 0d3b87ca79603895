import { EVEN_THRESHOLD, PROBABILITY_MAX, PROBABILITY_MIN } from "../base/recipe";

const POWER = Math.log(0.5) / Math.log(EVEN_THRESHOLD / 100);

/**
 * The probability that a threshold (0 to 100) stands for: (threshold / 100) ^ 3.106, so that 80 is one half. A little
 * inside 0..1, where the network never quite comes to the ends. Throws an Error for what is no number of that range.
 */
export function levelOf(threshold: number): number {
  if (!(threshold >= 0 && threshold <= 100)) throw new Error("DEXTR needs a threshold of 0 to 100.");
  return Math.min(Math.max((threshold / 100) ** POWER, PROBABILITY_MIN), PROBABILITY_MAX);
}
