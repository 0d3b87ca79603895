/**
 * Weights of the pixels around a pixel in its row or column: `middle + slope * d` at distance d, for d below the
 * radius. From the middle (included) to one end they sum to one half.
 */
export interface BorderWeights {
  radius: number;
  middle: number;
  slope: number;
  /** Weight of the farthest pixel, and the weight that the next one, just out of reach, would have. */
  entering: number;
  leaving: number;
}

/** Weights are multiples of this, so that their sums and differences are exact and do not drift. */
const GRAIN = 2 ** -40;

/**
 * Returns the straight line closest (least squares) to the weights of `magic-wand-tool`, whose bell curve is inverted,
 * with its maximum at the ends: exp(-(radius - d)² / 2 radius²). With linear weights, the sums can be updated from
 * pixel to pixel with a handful of additions, whatever the radius.
 */
export function borderWeights(radius: number): BorderWeights {
  const centre = (radius - 1) / 2;
  let sum = 0;
  let product = 0;
  let squares = 0;
  for (let d = 0; d < radius; d++) {
    const weight = Math.exp(-((radius - d) ** 2) / (2 * radius ** 2));
    sum += weight;
    product += weight * (d - centre);
    squares += (d - centre) ** 2;
  }
  const slope = squares === 0 ? 0 : grained(product / squares / (2 * sum));
  const middle = grained(0.5 / radius - slope * centre);
  return { radius, middle, slope, entering: middle + slope * (radius - 1), leaving: middle + slope * radius };
}

const grained = (value: number): number => Math.round(value / GRAIN) * GRAIN;
