import type { Box } from "../base/imageSource";
import { SIGMA } from "../base/recipe";
import type { Point } from "../base/request";

/**
 * Writes the network's input plane for the points: in each of size × size cells the highest of the Gaussians around
 * them, in 0..1.
 */
export function heatMap(points: readonly Point[], crop: Box, size: number, plane: Float32Array): void {
  plane.fill(0, 0, size * size);
  raise(points, crop, size, plane, 1);
}

/** Raises the cells of a plane to Gaussians of `height` around the points; cells that are already higher stay. */
export function raise(points: readonly Point[], crop: Box, size: number, plane: Float32Array, height: number): void {
  for (const [x, y] of points) {
    const across = bell(((x + 0.5 - crop.left) / (crop.right - crop.left)) * size, size);
    const down = bell(((y + 0.5 - crop.top) / (crop.bottom - crop.top)) * size, size);
    for (let row = 0, i = 0; row < size; row++)
      for (let column = 0; column < size; column++, i++)
        plane[i] = Math.max(plane[i]!, height * across[column]! * down[row]!);
  }
}

/** Returns a Gaussian along one axis; the centre of cell n is at n + 0.5. */
function bell(middle: number, size: number): Float32Array {
  const spread = 2 * (SIGMA * size) ** 2;
  return Float32Array.from({ length: size }, (_, n) => Math.exp(-((n + 0.5 - middle) ** 2) / spread));
}
