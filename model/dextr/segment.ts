import type { Rings } from "../../shared/entities/shape";
import type { ImageSource } from "./base/imageSource";
import type { Prediction } from "./base/prediction";
import type { DextrRequest } from "./base/request";
import type { DextrSession } from "./base/session";
import { outline } from "./outline/outline";
import { type PredictOptions, predict } from "./predict/predict";

export { outline, type Prediction, predict };

export interface Segmentation {
  /** Polygons with holes in image pixels, unsimplified; none where nothing was found. */
  rings: Rings;
  /** Source of the rings: `outline` draws them again at another threshold. */
  prediction: Prediction;
}

/**
 * From extreme points to the outline of the object. Throws an Error for points or numbers that make no sense; rejects
 * where the image cannot be read or the network cannot run.
 */
export async function segment(
  image: ImageSource,
  request: DextrRequest,
  session: DextrSession,
  options?: PredictOptions,
): Promise<Segmentation> {
  const prediction = await predict(image, [...request.points, ...request.more], request.padding, session, options);
  return { prediction, rings: outline(prediction, request.threshold) };
}
