/**
 * A pixel: x to the right, y down, from the top left corner; (0, 0) is the corner pixel, whose centre is at (0.5, 0.5).
 * So subtract half a pixel from a position on the image (a click at 0 to width). May have decimals.
 */
export type Point = readonly [x: number, y: number];

/** The clicks that tell the network which object is meant. Points may be outside the image. */
export interface Prompt {
  /** Four extreme points of the object, in any order. */
  points: readonly Point[];
  /** True if the points are the middles of a box's sides: the object touches the sides, but not at the points. */
  isBox?: boolean;
  /** Further points on the object's border. */
  more: readonly Point[];
  /** Corrections: points inside the object that an outline missed. */
  added?: readonly Point[];
  /** Corrections: points outside the object that an outline took. */
  removed?: readonly Point[];
}

/** A request to DEXTR. */
export interface DextrRequest extends Prompt {
  /** Padding around the box of the points that the object may fill, in image pixels: 0 to 1000. */
  padding: number;
  /** Required certainty of the network, 0 to 100; 80 is a probability of one half. */
  threshold: number;
}
