import type { Box, ImageSource } from "../base/imageSource";
import { BORDER_INSET } from "../base/recipe";

/**
 * Replaces the probability beyond the image's border with that just inside, in place. The network returns 0 for the
 * grey outside and too low values for cells at the border, but an object that the border cuts must reach it.
 */
export function extendOutward(
  probability: Float32Array,
  crop: Box,
  size: number,
  { width, height }: Pick<ImageSource, "width" | "height">,
): void {
  const columns = insideOf(crop.left, crop.right, size, width);
  const rows = insideOf(crop.top, crop.bottom, size, height);
  for (let y = rows.first; y <= rows.last; y++) {
    const start = y * size;
    probability.fill(probability[start + columns.first]!, start, start + columns.first);
    probability.fill(probability[start + columns.last]!, start + columns.last + 1, start + size);
  }
  for (let y = 0; y < rows.first; y++) copyRow(probability, size, rows.first, y);
  for (let y = rows.last + 1; y < size; y++) copyRow(probability, size, rows.last, y);
}

function copyRow(plane: Float32Array, size: number, from: number, to: number): void {
  plane.copyWithin(to * size, from * size, (from + 1) * size);
}

/**
 * Returns the first and the last cell whose centres are well inside the image, which extends from 0 to `end` pixels.
 */
function insideOf(from: number, to: number, size: number, end: number): { first: number; last: number } {
  const cell = (to - from) / size;
  const inset = BORDER_INSET * Math.max(1, cell);
  const first = Math.max(0, Math.ceil((inset - from) / cell - 0.5));
  const last = Math.min(size - 1, Math.floor((end - inset - from) / cell - 0.5));
  if (first <= last) return { first, last };
  const middle = Math.min(Math.max(Math.floor((end / 2 - from) / cell), 0), size - 1);
  return { first: middle, last: middle };
}
