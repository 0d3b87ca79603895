import type { Matrix } from "./vectors";

/**
 * Share of the sphere in the covariance: with few annotations, most directions of 69 numbers are known badly. Between
 * 0.3 and 0.7, it hardly changes what is found.
 */
const SPHERE = 0.6;

/**
 * Changes the rows so that the distance between two of them is their Mahalanobis distance, by the covariance inside the
 * groups (`groups`: number of each row's group, 0 to `count` - 1), which is shrunk towards a sphere of the same
 * variance: S' = (1 - a) S + a trace(S) / d I. Source: Friedman, "Regularized discriminant analysis", JASA 84, 1989
 * (all groups share one covariance here). Only trusted rows count. Returns false, and leaves the rows as they are, if
 * no group has two different members.
 */
export function whiten(
  matrix: Matrix,
  groups: Int32Array,
  count: number,
  isTrusted: (row: number) => boolean,
): boolean {
  const { rows, columns, values } = matrix;
  const trusted = Array.from({ length: rows }, (_, row) => row).filter(isTrusted);
  const means = meansOf(matrix, trusted, groups, count);
  const covariance = covarianceInside(matrix, trusted, means, groups, Math.max(1, trusted.length - count));
  let trace = 0;
  for (let k = 0; k < columns; k++) trace += covariance[k * columns + k]!;
  if (!(trace > 0)) return false;
  for (let i = 0; i < covariance.length; i++) covariance[i]! *= 1 - SPHERE;
  for (let k = 0; k < columns; k++) covariance[k * columns + k]! += (SPHERE * trace) / columns;
  const factor = choleskyFactor(covariance, columns);
  for (let row = 0; row < rows; row++) solveLower(factor, columns, values.subarray(row * columns, (row + 1) * columns));
  return true;
}

function meansOf(
  { columns, values }: Matrix,
  rows: readonly number[],
  groups: Int32Array,
  count: number,
): Float64Array {
  const means = new Float64Array(count * columns);
  const sizes = new Int32Array(count);
  for (const row of rows) {
    sizes[groups[row]!]!++;
    for (let k = 0; k < columns; k++) means[groups[row]! * columns + k]! += values[row * columns + k]!;
  }
  for (let i = 0; i < means.length; i++) means[i]! /= Math.max(1, sizes[Math.floor(i / columns)]!);
  return means;
}

function covarianceInside(
  { columns, values }: Matrix,
  rows: readonly number[],
  means: Float64Array,
  groups: Int32Array,
  freedom: number,
): Float64Array {
  const covariance = new Float64Array(columns * columns);
  const deviation = new Float64Array(columns);
  for (const row of rows) {
    for (let k = 0; k < columns; k++) deviation[k] = values[row * columns + k]! - means[groups[row]! * columns + k]!;
    for (let a = 0; a < columns; a++)
      for (let b = 0; b <= a; b++) covariance[a * columns + b]! += deviation[a]! * deviation[b]!;
  }
  for (let a = 0; a < columns; a++)
    for (let b = 0; b <= a; b++) {
      covariance[a * columns + b]! /= freedom;
      covariance[b * columns + a] = covariance[a * columns + b]!;
    }
  return covariance;
}

/** Returns the lower triangle L with L times its transpose = `matrix`, which must be positive definite. */
function choleskyFactor(matrix: Float64Array, size: number): Float64Array {
  const factor = new Float64Array(size * size);
  for (let a = 0; a < size; a++)
    for (let b = 0; b <= a; b++) {
      let sum = matrix[a * size + b]!;
      for (let k = 0; k < b; k++) sum -= factor[a * size + k]! * factor[b * size + k]!;
      factor[a * size + b] = a === b ? Math.sqrt(sum) : sum / factor[b * size + b]!;
    }
  return factor;
}

/** Replaces `vector` by x with factor x = vector. */
function solveLower(factor: Float64Array, size: number, vector: Float64Array): void {
  for (let a = 0; a < size; a++) {
    let sum = vector[a]!;
    for (let k = 0; k < a; k++) sum -= factor[a * size + k]! * vector[k]!;
    vector[a] = sum / factor[a * size + a]!;
  }
}
