/**
 * Modified z-scores: 0.6745 (x - median) / MAD, where MAD is the median of the absolute deviations from the median.
 * Source: Iglewicz and Hoaglin, "How to detect and handle outliers", ASQC 1993. Values far from the others hardly
 * change median and MAD, unlike mean and standard deviation.
 */
export interface RobustScale {
  median: number;
  deviation: number;
}

/** Makes the MAD of normally distributed values equal to their standard deviation. */
const NORMAL = 0.6745;

/** Returns median and MAD; undefined without values. Sorts `values` in place. */
export function robustScale(values: Float64Array): RobustScale | undefined {
  if (values.length === 0) return undefined;
  const median = medianOfSorted(values.sort());
  const deviation = medianOfSorted(values.map((value) => Math.abs(value - median)).sort());
  return { median, deviation };
}

function medianOfSorted(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Returns the modified z-score; `least` is the smallest deviation that counts, so that equal values give no outliers.
 */
export function robustScore(value: number, { median, deviation }: RobustScale, least: number): number {
  return (NORMAL * (value - median)) / Math.max(deviation, least);
}
