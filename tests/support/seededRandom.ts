/** Pseudo-random numbers in 0..1 that are the same for the same seed. Constants: Numerical Recipes. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
