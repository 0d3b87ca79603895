/** Rounds that are not counted: a user's second click runs warm code. */
const WARMING = 3;

/** Returns median milliseconds of two ways of doing the same, measured alternately under the same conditions. */
export function sideBySide(
  rounds: number,
  ours: () => unknown,
  peer: () => unknown,
): { ours: number; peer: number; ratio: number } {
  const [mine, theirs] = [[] as number[], [] as number[]];
  for (let round = -WARMING; round < rounds; round++) {
    const times = [milliseconds(ours), milliseconds(peer)] as const;
    if (round < 0) continue;
    mine.push(times[0]);
    theirs.push(times[1]);
  }
  const [a, b] = [median(mine), median(theirs)];
  return { ours: a, peer: b, ratio: b / a };
}

export function milliseconds(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

export const inMs = (value: number): string => `${value.toFixed(1)} ms`;
