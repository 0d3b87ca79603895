import type { Box } from "../base/imageSource";
import { BOX_HEIGHT } from "../base/recipe";
import type { Prompt } from "../base/request";
import { heatMap, raise } from "./heatMap";

/**
 * Writes the clicks into two planes of size × size cells, as training does (`model/training/gpu/clicks.py`). The
 * fourth plane of the input gets the clicks on the border, lower for the sides of a box. The fifth plane gets the
 * corrections, above 0 where the outline missed the object and below 0 where it took too much.
 */
export function writeClicks(
  { points, isBox = false, more, added = [], removed = [] }: Prompt,
  crop: Box,
  size: number,
  [border, corrections]: readonly [Float32Array, Float32Array],
): void {
  heatMap(more, crop, size, border);
  raise(points, crop, size, border, isBox ? BOX_HEIGHT : 1);
  heatMap(added, crop, size, corrections);
  if (removed.length === 0) return;
  const taken = new Float32Array(size * size);
  raise(removed, crop, size, taken, 1);
  for (let i = 0; i < taken.length; i++) corrections[i]! -= taken[i]!;
}
