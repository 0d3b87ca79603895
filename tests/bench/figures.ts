/** Figures of one measurement, as shown in docs/performance.md. */
export interface Figure {
  what: string;
  /** Limn's value and that of the named peer, with units. */
  ours: string;
  peer: string;
  /** Limn's value divided by the peer's, in the direction of the goal. */
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
