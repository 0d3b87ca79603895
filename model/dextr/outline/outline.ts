import type { Rings } from "../../../shared/entities/shape";
import { simplifyRings } from "../../../shared/geometry/simplify";
import type { Prediction } from "../base/prediction";
import { PIECE_REACH, TOLERANCE } from "../base/recipe";
import type { Point } from "../base/request";
import { isEmpty } from "../predict/crop";
import { contour } from "./contour";
import { fieldOf } from "./field";
import { levelOf } from "./level";
import { pieces } from "./pieces";

/**
 * Returns the outline of a prediction at a threshold (0 to 100): polygons with holes in image pixels, inside the
 * prediction's reach, as exact as the network's grid; an empty list if no probability is high enough. Fast enough for a
 * slider. Throws an Error for a threshold out of range.
 */
export function outline(prediction: Prediction, threshold: number): Rings {
  const level = levelOf(threshold);
  const { crop, size, points, removed, reach } = prediction;
  if (isEmpty(reach)) return [];
  const rings = contour(fieldOf(prediction), level);
  const cell = Math.max(crop.right - crop.left, crop.bottom - crop.top) / size;
  const places = { points: points.map(centreOf), removed: removed.map(centreOf) };
  return simplifyRings(pieces(rings, places, Math.max(1, PIECE_REACH * cell)), TOLERANCE);
}

const centreOf = ([x, y]: Point): Point => [x + 0.5, y + 0.5];
