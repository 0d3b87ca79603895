import type { Size } from "../entities/image";
import type { Keypoint } from "../entities/keypoint";
import type { Bbox, Shape } from "../entities/shape";

/** An annotation as the quality check reads it. Coordinates in image pixels. */
export interface CheckedAnnotation {
  id: number;
  category_id: number;
  shape: Shape;
  bbox: Bbox;
  area: number;
  isbbox: boolean;
  iscrowd: boolean;
  keypoints: Keypoint[] | null;
}

/** An image with its annotations, in ascending order of ids. Size in pixels. */
export interface CheckedImage extends Size {
  id: number;
  annotations: readonly CheckedAnnotation[];
}
