/**
 * A pixel: x to the right, y down, from the top left corner; (0, 0) is the corner pixel, whose middle lies at (0.5, 0.5).
 * So a place on the picture (a click at 0 to width) is the point half a pixel less. May have decimals.
 */
export type Point = readonly [x: number, y: number];

/** What is asked of DEXTR. A point may lie outside the picture. */
export interface DextrRequest {
  /** Four extreme points of the object, in any order. */
  points: readonly Point[];
  /** Further points on the object's border. */
  more: readonly Point[];
  /** How far around the box of the points the object may reach, in image pixels: 0 to 1000. */
  padding: number;
  /** How sure the network must be, 0 to 100; 80 is a probability of one half. */
  threshold: number;
}
