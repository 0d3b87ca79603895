/**
 * Weights of the pixels around one in its row, or in its column: `middle + slope * d` for those at distance d below the
 * radius. From the middle (included) to one end they sum to one half.
 */
export interface BorderWeights {
  radius: number;
  middle: number;
  slope: number;
  /** Weight of the farthest pixel, and what one that has just got out of reach would have. */
  entering: number;
  leaving: number;
}

/** Weights are multiples of this, so that sums and differences of them are exact and nothing drifts. */
const GRAIN = 2 ** -40;

/**
 * The straight line that comes nearest (least squares) to the weights of `magic-wand-tool`. Its bell lies the wrong way
 * round, largest at the ends: exp(-(radius - d)² / 2 radius²). A straight line of weights lets the sums follow from pixel
 * to pixel with a handful of additions, whatever the radius.
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
