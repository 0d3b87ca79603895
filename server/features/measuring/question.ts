import type { SegmentationRequest } from "../../../shared/coco/items/toCocoSegmentation";
import type { Turn } from "../../../shared/coco/turn";
import type { Size } from "../../../shared/entities/image";
import type { Bbox, Ring, Rings, Rle } from "../../../shared/entities/shape";
import type { PackedRings } from "../../../shared/geometry/packed";

/** A shape to measure: an outline in an image of this size, or a mask. */
export type Measurable = { rings: Rings; width: number; height: number } | { rle: Rle };

/** Area (pixels) and bounding box of a shape, or the reason why it cannot be measured. */
export type Measured = { area: number; bbox: Bbox } | { problem: string };

/**
 * A mask of the stored image, to be turned to the image as it is displayed. `size`: that of the stored image, in
 * pixels.
 */
export interface MaskToTurn {
  turn: Turn;
  rle: Rle;
  size: Size;
}

/**
 * Outlines that an older client returned, to compare with the outlines that it was sent. `width` and `height` are those
 * of the image, in pixels.
 */
export interface Comparison {
  paths: PackedRings;
  sent: PackedRings;
  width: number;
  height: number;
}

/** A question that a thread must answer before work can continue. */
export interface Wanted {
  question: Question;
  /** Returns the cost in crossings of edges and pixel columns. Counting them reads the whole shape. */
  cost: () => number;
  cacheAnswer: (answer: Answer) => void;
}

/** Requests to the shape thread, and its responses. */
export type Question =
  | { measure: Measurable }
  | { convert: SegmentationRequest }
  | { turn: MaskToTurn }
  | { trace: Rle }
  | { compare: Comparison }
  | { nest: PackedRings };
export type Answer =
  | Measured
  | { segmentation: Ring[] | Rle | null }
  | { turned: Rle }
  /** Null if the outline has more corners than an annotation may have. */
  | { outline: PackedRings | null }
  | { isReturned: boolean }
  /** Each polygon as the indices of its rings. */
  | { polygons: number[][] };
