import type { Ring, Rings } from "../entities/shape";
import { rasterise } from "./rasterise";
import { mergeRuns, type Runs } from "./runs";

export { areaOf, bboxOf, type MaskOperation, mergeRuns, type Runs } from "./runs";

/**
 * Runs of COCO polygons in image pixels: each ring a polygon of its own, all united, exactly as the reference COCO mask
 * code has them. A list of four numbers is two points here, never a box.
 */
export function polygonsToRle(polygons: readonly Ring[], width: number, height: number): Runs {
  if (polygons.length === 0) return [width * height];
  return mergeRuns(
    polygons.map((ring) => rasterise(ring, width, height)),
    "union",
  );
}

/** Runs of polygons with holes in image pixels: of each polygon the outer ring less its holes, all united. */
export function ringsToRle(rings: Rings, width: number, height: number): Runs {
  if (rings.length === 0) return [width * height];
  return mergeRuns(
    rings.map((polygon) =>
      mergeRuns(
        polygon.map((ring) => rasterise(ring, width, height)),
        "difference",
      ),
    ),
    "union",
  );
}
