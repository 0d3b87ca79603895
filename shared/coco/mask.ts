import type { Ring, Rings } from "../entities/shape";
import { rasterise } from "./raster/rasterise";
import type { Runs } from "./runs";

export { areaOf, bboxOf, mergeRuns, type Runs, sameRuns } from "./runs";

/** Largest number of runs in a computed mask (32 MB): twice as many as an imported RLE may have. */
const MAX_RUNS = 2 ** 22;

/**
 * Returns the runs of COCO polygons in image pixels: the union of all rings, each a polygon, exactly as the reference
 * COCO mask code computes it. A list of four numbers is two points here, never a box. Throws a RangeError for a
 * coordinate that is not a number, for a shape with more than MAX_CROSSINGS and for a mask of more than four million
 * runs.
 */
export function polygonsToRle(polygons: readonly Ring[], width: number, height: number): Runs {
  return ringsToRle(
    polygons.map((ring) => [ring]),
    width,
    height,
  );
}

/**
 * Returns the runs of polygons with holes in image pixels: the union of all polygons, each without its holes.
 * Throws as polygonsToRle does.
 */
export function ringsToRle(rings: Rings, width: number, height: number): Runs {
  const runs: Runs = [];
  /** The last position at which the mask changed. */
  let position = 0;
  rasterise(rings, width, height, (column, rows, count) => {
    const top = column * height;
    let k = 0;
    if (runs.length > 0 && top + rows[0]! === position) {
      // The run continues from the bottom of the previous column.
      position -= runs.pop()!;
      k = 1;
    }
    for (; k < count; k++) {
      runs.push(top + rows[k]! - position);
      position = top + rows[k]!;
    }
    if (runs.length > MAX_RUNS) throw new RangeError("The outline's mask has too many pieces");
  });
  if (position < width * height || runs.length === 0) runs.push(width * height - position);
  return runs;
}
