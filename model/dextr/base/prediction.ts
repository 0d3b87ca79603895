import type { Box } from "./imageSource";
import type { Point } from "./request";

/**
 * The network's output for a crop. Plain data that can be sent between threads (`probability.buffer` is transferable).
 */
export interface Prediction {
  /** The part of the image given to the network, in image pixels; it may extend beyond the image. */
  crop: Box;
  /** Side of the square to which the crop was scaled. */
  size: number;
  /** size × size probabilities in 0..1, row by row. */
  probability: Float32Array<ArrayBuffer>;
  /** All points on and in the object, moved inside the image, as the recipe uses them. */
  points: Point[];
  /** Corrections that take away, moved inside the image: they keep holes that are otherwise filled. */
  removed: readonly Point[];
  /**
   * Limits of the outline, in image pixels: the padding around the points, inside the image and the crop. May
   * be empty.
   */
  reach: Box;
}
