/** Figures of one measurement, as docs/performance.md shows them. */
export interface Figure {
  what: string;
  /** Ours and the named peer's, with units. */
  ours: string;
  peer: string;
  /** Ours to the peer's, as the goal counts it. */
  ratio: number | null;
  goal: string;
  met: boolean;
  note?: string;
}

export const perSecond = (count: number, ms: number): number => count / (ms / 1000);

export const rate = (value: number, unit: string): string =>
  `${value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(1)} ${unit}/s`;

/** The value below which the given share of the list lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const started = performance.now();
  const value = await work();
  return { ms: performance.now() - started, value };
}
