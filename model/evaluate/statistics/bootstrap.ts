import { uniforms } from "./random";

/** A mean with the limits of its 95 % confidence interval. */
export interface Estimate {
  mean: number;
  low: number;
  high: number;
}

const RESAMPLES = 1000;
const SEED = 1;
/** Shares of the resampled means below the interval's limits. */
const LIMITS = [0.025, 0.975] as const;

/**
 * Returns the mean of each column over all rows of all groups, with its 95 % percentile interval by resampling groups:
 * the objects of a photograph are alike, so they are drawn together. The same input gives the same result. Needs at
 * least one row. Method: Efron 1979, "Bootstrap Methods"; Field and Welsh 2007 for groups.
 */
export function estimates(groups: readonly (readonly (readonly number[])[])[]): Estimate[] {
  const columns = groups.flat()[0]?.length ?? 0;
  const counts = groups.map((rows) => rows.length);
  const sums = groups.map((rows) =>
    Float64Array.from({ length: columns }, (_, c) => rows.reduce((sum, row) => sum + row[c]!, 0)),
  );
  const means = (chosen: (n: number) => number) => {
    const total = new Float64Array(columns);
    let count = 0;
    for (let n = 0; n < groups.length; n++) {
      const group = chosen(n);
      count += counts[group]!;
      for (let c = 0; c < columns; c++) total[c]! += sums[group]![c]!;
    }
    return total.map((sum) => sum / count);
  };
  const uniform = uniforms(SEED);
  const resampled = Array.from({ length: RESAMPLES }, () =>
    means(() => Math.min(groups.length - 1, Math.floor(uniform() * groups.length))),
  );
  return Array.from(
    means((n) => n),
    (mean, c) => {
      const sorted = resampled.map((each) => each[c]!).sort((a, b) => a - b);
      const [low, high] = LIMITS.map((share) => sorted[Math.round(share * (RESAMPLES - 1))]!) as [number, number];
      return { mean, low, high };
    },
  );
}
