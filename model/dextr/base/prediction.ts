import type { Box } from "./imageSource";
import type { Point } from "./request";

/** The network's output for a crop. Plain data, which goes from thread to thread (`probability.buffer` can be moved). */
export interface Prediction {
  /** The part of the image that the network saw, in image pixels; it may reach beyond the image. */
  crop: Box;
  /** Side of the square that the crop was brought to. */
  size: number;
  /** size × size probabilities in 0..1, row by row. */
  probability: Float32Array<ArrayBuffer>;
  /** All points, as they were taken: inside the image. */
  points: Point[];
  /**
   * Limits of the outline, in image pixels: the padding around the points, inside the image and the crop. May
   * be empty.
   */
  reach: Box;
}
