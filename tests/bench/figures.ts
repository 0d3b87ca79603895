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

export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const started = performance.now();
  const value = await work();
  return { ms: performance.now() - started, value };
}
