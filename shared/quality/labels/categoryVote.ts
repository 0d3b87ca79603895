import type { Matrix } from "./vectors";

/** Number of imagined members at the mean of all, so that a category of one or two is not sure of itself. */
const IMAGINED = 2;
/** Weight of the other annotations in the same image: sheep are seldom alone, and knives lie near forks. */
const COMPANY = 0.5;
/** Keeps logarithms of counts finite. */
const HALF = 0.5;
/** Factors of the distances among which the best is chosen, from timid to sure. */
const TEMPERATURES = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1];
/** Number of members from which a category's annotations help to choose, and number of annotations that are asked. */
const FEWEST_MEMBERS = 3;
const MOST_ASKED = 2_000;

/** The vote for one annotation. */
export interface Vote {
  /** Number of the most probable other group. */
  other: number;
  /** Logarithm of its probability over that of the annotation's own group. */
  margin: number;
}

/**
 * Returns a function that votes on the group of a row of a whitened matrix, by all other trusted rows (leave one out).
 * It can be passed to `map` of the rows.
 *
 * Score of a group with n members and sum s: t log p(x) + log(n + 1/2) + 1/2 log(c + 1/2). p is the predictive density
 * of a normal distribution whose mean is unknown: N((s + k m) / (n + k), 1 + 1 / (n + k)), with the mean m of all rows
 * and k imagined members (Murphy, "Conjugate Bayesian analysis of the Gaussian distribution", 2007). c is the number of
 * other annotations of the group in the same image. t corrects that features are not independent: the one with the
 * smallest mean of -log p(own group) (Guo et al., "On calibration of modern neural networks", ICML 2017).
 */
export function categoryVote(
  matrix: Matrix,
  groups: Int32Array,
  images: readonly number[],
  count: number,
  isTrusted: (row: number) => boolean,
) {
  const { rows, columns, values } = matrix;
  const sizes = new Int32Array(count);
  const sums = new Float64Array(count * columns);
  const mean = new Float64Array(columns);
  const company = new Map<number, Int32Array>();
  const trusted = Array.from({ length: rows }, (_, row) => row).filter(isTrusted);
  const isVoter = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) companyOf(company, images[row]!, count);
  for (const row of trusted) {
    const group = groups[row]!;
    isVoter[row] = 1;
    sizes[group]!++;
    companyOf(company, images[row]!, count)[group]!++;
    for (let k = 0; k < columns; k++) {
      sums[group * columns + k]! += values[row * columns + k]!;
      mean[k]! += values[row * columns + k]! / trusted.length;
    }
  }

  /** Writes log p(x) of each group into `densities`, and the rest of its score into `priors`. */
  const weigh = (row: number, densities: Float64Array, priors: Float64Array) => {
    const near = company.get(images[row]!)!;
    for (let group = 0; group < count; group++) {
      const own = group === groups[row] ? isVoter[row]! : 0;
      const members = sizes[group]! - own;
      const weight = members + IMAGINED;
      let distance = 0;
      for (let k = 0; k < columns; k++) {
        const value = values[row * columns + k]!;
        const centre = (sums[group * columns + k]! - own * value + IMAGINED * mean[k]!) / weight;
        distance += (value - centre) ** 2;
      }
      const variance = 1 + 1 / weight;
      densities[group] = -0.5 * (distance / variance + columns * Math.log(variance));
      priors[group] = Math.log(members + HALF) + COMPANY * Math.log(near[group]! - own + HALF);
    }
  };

  const densities = new Float64Array(count);
  const priors = new Float64Array(count);
  const temperature = bestTemperature(
    evenly(trusted).filter((row) => sizes[groups[row]!]! >= FEWEST_MEMBERS),
    (row) => {
      weigh(row, densities, priors);
      return TEMPERATURES.map((t) => surprise(densities, priors, t, groups[row]!));
    },
  );

  return (_: unknown, row: number): Vote => {
    weigh(row, densities, priors);
    const scoreOf = (group: number) => temperature * densities[group]! + priors[group]!;
    let other = -1;
    for (let group = 0; group < count; group++)
      if (group !== groups[row] && (other < 0 || scoreOf(group) > scoreOf(other))) other = group;
    return { other, margin: scoreOf(other) - scoreOf(groups[row]!) };
  };
}

function companyOf(company: Map<number, Int32Array>, image: number, count: number): Int32Array {
  const known = company.get(image);
  if (known) return known;
  const made = new Int32Array(count);
  company.set(image, made);
  return made;
}

function evenly(rows: readonly number[]): number[] {
  const asked = Math.min(rows.length, MOST_ASKED);
  return Array.from({ length: asked }, (_, n) => rows[Math.floor((n * rows.length) / asked)]!);
}

function bestTemperature(rows: readonly number[], surprisesOf: (row: number) => number[]): number {
  const totals = TEMPERATURES.map(() => 0);
  for (const row of rows) for (const [i, value] of surprisesOf(row).entries()) totals[i]! += value;
  return TEMPERATURES[totals.indexOf(Math.min(...totals))]!;
}

/** Share of labels that are assumed to be wrong, so that these do not make the vote timid. */
const WRONG = 0.02;

/** Returns -log of the probability of a group, if some labels are drawn by chance. */
function surprise(densities: Float64Array, priors: Float64Array, temperature: number, group: number): number {
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < densities.length; i++) top = Math.max(top, temperature * densities[i]! + priors[i]!);
  let sum = 0;
  for (let i = 0; i < densities.length; i++) sum += Math.exp(temperature * densities[i]! + priors[i]! - top);
  const own = Math.exp(temperature * densities[group]! + priors[group]! - top);
  return -Math.log(((1 - WRONG) * own) / sum + WRONG / densities.length);
}
