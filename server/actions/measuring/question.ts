import type { SegmentationForm } from "../../../shared/entities/export";
import type { Bbox, Ring, Rings, Rle, Shape } from "../../../shared/entities/shape";

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

/** Requests to the thread of shapes, and its responses. */
export type Question = { measure: Measurable } | { say: Said };
export type Answer = Measured | { segmentation: Ring[] | Rle | null };
