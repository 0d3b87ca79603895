import type { Rings } from "../../shared/entities/shape";
import type { Prediction } from "./prediction";

/**
 * The outline of what the network holds for the object at a threshold (0 to 100): polygons with holes in image pixels,
 * unsimplified, inside the prediction's reach. Cheap enough for a slider.
 */
export function outline(prediction: Prediction, threshold: number): Rings {
  throw new Error(`Not yet: ${prediction.size} ${threshold}`);
}
