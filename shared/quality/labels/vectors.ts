import type { LookedAt } from "./lookedAt";

/** Rows of numbers of the same length, one after another. */
export interface Matrix {
  rows: number;
  columns: number;
  values: Float64Array;
}

/** Number of columns for size, proportions, place, and how full the box is. */
const GEOMETRY = 5;
/** Deviation up to which a column counts as constant. */
const CONSTANT = 1e-6;

/** Returns appearance and geometry of the annotations, each column with mean 0 and standard deviation 1. */
export function vectorsOf(annotations: readonly LookedAt[]): Matrix {
  const length = annotations[0]?.features?.length ?? 0;
  const columns = length + GEOMETRY;
  const values = new Float64Array(annotations.length * columns);
  for (const [row, annotation] of annotations.entries()) {
    for (let k = 0; k < length; k++) values[row * columns + k] = annotation.features?.[k] ?? 0;
    values.set(geometryOf(annotation), row * columns + length);
  }
  const matrix = { rows: annotations.length, columns, values };
  for (let column = 0; column < columns; column++) standardise(matrix, column);
  return matrix;
}

function geometryOf({ bbox: [x, y, width, height], area, frame }: LookedAt): number[] {
  const box = Math.max(1, width * height);
  const share = Math.log(box / Math.max(1, frame.width * frame.height));
  const proportions = Math.log(Math.max(1, width) / Math.max(1, height));
  return [share, proportions, (x + width / 2) / frame.width, (y + height / 2) / frame.height, area / box];
}

function standardise({ rows, columns, values }: Matrix, column: number): void {
  let [sum, squares] = [0, 0];
  for (let i = column; i < values.length; i += columns) {
    sum += values[i]!;
    squares += values[i]! ** 2;
  }
  const mean = sum / rows;
  const deviation = Math.sqrt(Math.max(0, squares / rows - mean ** 2));
  for (let i = column; i < values.length; i += columns)
    values[i] = (values[i]! - mean) / (deviation > CONSTANT ? deviation : 1);
}
