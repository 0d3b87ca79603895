import type { Bbox } from "../../../../../shared/entities/shape";
import type { ComparedImage } from "../../../../../shared/quality/images/similarFindings";
import type { ListedImage } from "../../../../../shared/quality/images/unlabelled";
import type { StoredLook } from "../../look/lookRows";

/** An annotation as it is compared with the others of its category. Box and frame in pixels. */
export interface AnnotationLine {
  id: number;
  revision: number;
  image_id: number;
  category_id: number;
  bbox: Bbox;
  iscrowd: boolean;
  width: number;
  height: number;
  /** Labels of the visible keypoints in ascending order; null without keypoints. */
  labels: number[] | null;
}

/** A category of the dataset, with the labels of its keypoints. */
export interface CategoryLine {
  id: number;
  labels: number[];
}

/** An image as it is compared with the others. `key`: its place in the folder's order. */
export interface FileLine extends ComparedImage, ListedImage {
  key: string;
}

/** Rows of a dataset that are compared with each other, by kind. */
export interface RowsCompared {
  annotations: AnnotationLine;
  files: FileLine;
  looks: StoredLook;
}
