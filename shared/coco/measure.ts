import type { Keypoint } from "../entities/keypoint";
import type { Bbox, Ring, Rings, Shape } from "../entities/shape";
import { divideLines } from "../geometry/lines/line";
import { ringsBounds } from "../geometry/polygons";
import { rasterise } from "./raster/rasterise";
import { runsOf } from "./rle";
import { traceRuns } from "./trace";

/**
 * Returns area (pixels) and box [x, y, width, height] of polygons in image pixels, as the reference COCO mask code
 * measures them: those of the rasterised mask, clipped to the image. The mask is not held in memory. Throws a
 * RangeError for a coordinate that is not a number and for a shape with more than MAX_CROSSINGS.
 */
export function measure(rings: Rings, width: number, height: number): { area: number; bbox: Bbox } {
  let area = 0;
  let left = -1;
  let right = -1;
  let top = height;
  let bottom = 0;
  rasterise(rings, width, height, (column, rows, count) => {
    if (left < 0) left = column;
    right = column;
    top = Math.min(top, rows[0]!);
    bottom = Math.max(bottom, rows[count - 1]!);
    for (let k = 0; k < count; k += 2) area += rows[k + 1]! - rows[k]!;
  });
  return { area, bbox: left < 0 ? [0, 0, 0, 0] : [left, top, right - left + 1, bottom - top] };
}

/**
 * Returns area and box of a shape that may have lines: a line has no area, and its box is the box around its points.
 * Throws as `measure` does.
 */
export function measureWithLines(rings: Rings, width: number, height: number): { area: number; bbox: Bbox } {
  const { lines, areas } = divideLines(rings);
  if (lines.length === 0) return measure(rings, width, height);
  if (lines.some(([line]) => !line!.every(Number.isFinite))) throw new RangeError("A coordinate is not a number");
  const box = ringsBounds(lines);
  if (areas.length === 0) return { area: 0, bbox: box };
  const { area, bbox } = measure(areas, width, height);
  return { area, bbox: bbox[2] > 0 ? ringsBounds([[boxRing(bbox)], [boxRing(box)]]) : box };
}

/** Returns the box [x, y, width, height] around the labeled keypoints (v > 0); zeros if there are none. */
export function keypointBbox(keypoints: readonly Keypoint[]): Bbox {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const { x, y, v } of keypoints) {
    if (v <= 0) continue;
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return left > right ? [0, 0, 0, 0] : [left, top, right - left, bottom - top];
}

/** Returns the four corners of a box, clockwise from the top left. */
export function boxRing([x, y, width, height]: Bbox): Ring {
  return [x, y, x + width, y, x + width, y + height, x, y + height];
}

/**
 * Returns the polygons that the canvas draws for a stored shape, in image pixels: COCO's list as polygons without
 * holes, an RLE traced along its pixel edges, the box of an annotation that has only a box. Throws an RleError for an
 * RLE that does not fit its size, and TooManyCorners for one whose outline has more than `maxCorners`.
 */
export function shapeRings(shape: Shape, bbox: Bbox, isbbox: boolean, maxCorners?: number): Rings {
  if (shape === null) return isbbox ? [[boxRing(bbox)]] : [];
  if (Array.isArray(shape)) return shape.map((ring) => [ring]);
  if ("rings" in shape) return shape.rings;
  return traceRuns(runsOf(shape), shape.size[1], shape.size[0], maxCorners);
}
