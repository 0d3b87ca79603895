import type { Picture } from "./picture";
import type { Prediction } from "./prediction";
import { SIZE } from "./recipe";
import type { Point } from "./request";
import type { DextrSession } from "./session";

export interface PredictOptions {
  /** Side of the square that the network sees: the manifest's. A multiple of 32. */
  size?: number;
  /** Whether the crop's mirror image is asked too and the mean taken. Costs a second run; the default. */
  flip?: boolean;
}

/**
 * Shows the network the part of the picture around the points: the expensive half of the recipe, the same for every
 * threshold. `points` are the extreme points and all further ones, `padding` image pixels. Throws an Error for points or
 * numbers that make no sense; rejects where the picture cannot be read or the network cannot run.
 */
export async function predict(
  picture: Picture,
  points: readonly Point[],
  padding: number,
  session: DextrSession,
  { size = SIZE, flip = true }: PredictOptions = {},
): Promise<Prediction> {
  throw new Error(`Not yet: ${picture.width} ${points.length} ${padding} ${session} ${size} ${flip}`);
}
