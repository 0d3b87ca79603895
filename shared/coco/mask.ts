import type { Ring, Rings } from "../entities/shape";
import { CrossingBudget, rasterise } from "./rasterise";
import { mergeMade, type Runs } from "./runs";

export { areaOf, bboxOf, mergeRuns, type Runs, sameRuns } from "./runs";

/**
 * Runs of COCO polygons in image pixels: each ring a polygon of its own, all united, exactly as the reference COCO mask
 * code has them. A list of four numbers is two points here, never a box.
 * Throws a RangeError for a coordinate that is not a number and for a shape that crosses the picture absurdly often.
 */
export function polygonsToRle(polygons: readonly Ring[], width: number, height: number): Runs {
  const budget = new CrossingBudget();
  if (polygons.length === 0) return [width * height];
  return mergeMade(polygons.length, (i) => rasterise(polygons[i]!, width, height, budget), "union");
}

/**
 * Runs of polygons with holes in image pixels: of each polygon the outer ring less its holes, all united.
 * Throws as polygonsToRle does.
 */
export function ringsToRle(rings: Rings, width: number, height: number): Runs {
  const budget = new CrossingBudget();
  if (rings.length === 0) return [width * height];
  const polygonRuns = (polygon: readonly Ring[]) =>
    mergeMade(polygon.length, (i) => rasterise(polygon[i]!, width, height, budget), "difference");
  return mergeMade(rings.length, (i) => polygonRuns(rings[i]!), "union");
}
