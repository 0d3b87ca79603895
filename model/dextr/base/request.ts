/**
 * A pixel: x to the right, y down, from the top left corner; (0, 0) is the corner pixel, whose centre is at (0.5, 0.5).
 * So subtract half a pixel from a position on the image (a click at 0 to width). May have decimals.
 */
export type Point = readonly [x: number, y: number];

/** A request to DEXTR. Points may be outside the image. */
export interface DextrRequest {
  /** Four extreme points of the object, in any order. */
  points: readonly Point[];
  /** Further points on the object's border. */
  more: readonly Point[];
  /** Padding around the box of the points that the object may fill, in image pixels: 0 to 1000. */
  padding: number;
  /** Required certainty of the network, 0 to 100; 80 is a probability of one half. */
  threshold: number;
}
