import type { Sides, Turn } from "../../../shared/coco/turn";
import type { SegmentationForm } from "../../../shared/entities/export";
import type { Bbox, Ring, Rings, Rle, Shape } from "../../../shared/entities/shape";
import type { PackedRings } from "../../../shared/geometry/packed";

/** An outline in an image of this size, or a mask, to be measured. */
export type Measurable = { rings: Rings; width: number; height: number } | { rle: Rle };

/** Area (pixels) and box of a shape; `problem`: why it cannot be measured. */
export type Measured = { area: number; bbox: Bbox } | { problem: string };

/** Request for a stored shape as a COCO file has it. */
export interface Said {
  shape: NonNullable<Shape>;
  bbox: Bbox;
  isbbox: boolean;
  iscrowd: boolean;
  width: number;
  height: number;
  form: SegmentationForm | undefined;
}

/** A mask of an image as it is stored, to be brought to the image as it is shown. `sides`: of the image as it is stored. */
export interface Unturned {
  turn: Turn;
  rle: Rle;
  sides: Sides;
}

/** Outlines that an older client returned, to be compared with those that it was sent. Sides in pixels. */
export interface Compared {
  paths: PackedRings;
  sent: PackedRings;
  width: number;
  height: number;
}

/** A question whose answer is wanted before work can go on. */
export interface Wanted {
  question: Question;
  /** In crossings of edges and columns. Counting them reads the whole shape. */
  cost: () => number;
  keep: (answer: Answer) => void;
}

/** Requests to the thread of shapes, and its responses. */
export type Question =
  | { measure: Measurable }
  | { say: Said }
  | { turn: Unturned }
  | { trace: Rle }
  | { compare: Compared }
  | { nest: PackedRings };
export type Answer =
  | Measured
  | { segmentation: Ring[] | Rle | null }
  | { turned: Rle }
  /** Null where it has more corners than any annotation. */
  | { outline: PackedRings | null }
  | { isReturned: boolean }
  /** Each polygon as places of its rings. */
  | { polygons: number[][] };
