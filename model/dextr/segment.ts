import type { Rings } from "../../shared/entities/shape";
import type { ImageSource } from "./base/imageSource";
import type { Prediction } from "./base/prediction";
import type { DextrRequest } from "./base/request";
import type { DextrSession } from "./base/session";
import { outline } from "./outline/outline";
import { type PredictOptions, predict } from "./predict/predict";

export { outline, type Prediction, predict };

export interface Segmentation {
  /** Polygons with holes in image pixels, without the user's simplification; none if no object was found. */
  rings: Rings;
  /** Source of the rings, from which `outline` computes them for another threshold. */
  prediction: Prediction;
}

/**
 * Computes the outline of an object from its clicks. Rejects for invalid points or numbers, if the image cannot
 * be read or if the network cannot run.
 */
export async function segment(
  image: ImageSource,
  request: DextrRequest,
  session: DextrSession,
  options?: PredictOptions,
): Promise<Segmentation> {
  const prediction = await predict(image, request, request.padding, session, options);
  return { prediction, rings: outline(prediction, request.threshold) };
}
