/** Returns the time in milliseconds that 99 of 100 do not exceed; for fewer than 100 times the longest. */
export function p99(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}

/** Pseudo-random numbers from 0 to 1 that are the same in every run (Park and Miller, 1988). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
