import type { Box } from "./picture";
import type { Point } from "./request";

/** What the network said about a crop. Plain data, which goes from thread to thread (`probability.buffer` can be moved). */
export interface Prediction {
  /** The part of the image that the network saw, in image pixels; it may reach beyond the picture. */
  crop: Box;
  /** Side of the square that the crop was brought to. */
  size: number;
  /** size × size probabilities in 0..1, row by row. */
  probability: Float32Array<ArrayBuffer>;
  /** All points, as they were taken: inside the picture. */
  points: Point[];
  /**
   * Where the outline may reach, in image pixels: the padding around the points, inside the picture and the crop. May
   * be empty.
   */
  reach: Box;
}
