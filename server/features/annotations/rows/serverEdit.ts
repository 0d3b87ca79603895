import type { AnnotationEdit, Edit } from "../../../../shared/edits/edit";
import type { Bbox, Shape } from "../../../../shared/entities/shape";

/**
 * A shape to be stored in the form in which it was posted, with its area and box; the edit's `rings` are the same shape
 * as polygons (null for an RLE). Only the server's own calls give it.
 */
export interface RawShape {
  shape: Shape;
  area: number;
  bbox: Bbox;
  iscrowd: boolean;
}

interface More {
  rawShape?: RawShape;
  /** Keypoint triples for which the category has no label. */
  extraKeypoints?: readonly number[];
}

/** An edit as the server's own calls make them. */
export type ServerEdit = Edit & More;
export type SentAnnotationEdit = AnnotationEdit & More;
