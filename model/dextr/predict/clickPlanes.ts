import type { Box } from "../base/imageSource";
import { BOX_HEIGHT } from "../base/recipe";
import type { Prompt } from "../base/request";
import { heatMap, raise } from "./heatMap";

/**
 * Writes the clicks as the network was trained on them (`model/training/gpu/clicks.py`): the fourth plane of size × size
 * cells has those on the border, with the sides of a box lower than points; the fifth one the corrections, above 0 where
 * the object was missed and below 0 where too much was taken.
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
