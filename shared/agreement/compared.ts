import { bboxOf, type Runs } from "../coco/mask";
import { boxOverlap, maskOverlap } from "../coco/overlap";
import { shapeRuns } from "../coco/shapeRuns";
import type { Size } from "../entities/image";
import type { Keypoint } from "../entities/keypoint";
import type { Bbox, Shape } from "../entities/shape";
import { keypointSimilarity } from "./keypointSimilarity";

/** An annotation that is compared with those of other users. Coordinates in image pixels. */
export interface ComparedAnnotation {
  category_id: number;
  shape: Shape;
  bbox: Bbox;
  isbbox: boolean;
  iscrowd: boolean;
  keypoints: Keypoint[] | null;
}

/** The annotations that one user has made on an image. Size in pixels. */
export interface ComparedImage<A extends ComparedAnnotation = ComparedAnnotation> extends Size {
  annotations: readonly A[];
}

/** An annotation with its mask, which is made once. */
export interface Extent {
  categoryId: number;
  box: Bbox;
  /** Undefined for boxes, and for annotations without a readable shape. */
  runs: Runs | undefined;
  /** Set for annotations that have only keypoints. */
  points: readonly Keypoint[] | undefined;
}

/** Returns the extent of an annotation; undefined for crowds, which are regions and no objects. */
export function extentOf(
  { category_id: categoryId, shape, bbox, isbbox, iscrowd, keypoints }: ComparedAnnotation,
  { width, height }: Size,
): Extent | undefined {
  if (iscrowd) return undefined;
  if (isbbox) return { categoryId, box: bbox, runs: undefined, points: undefined };
  if (shape === null) return { categoryId, box: bbox, runs: undefined, points: keypoints ?? [] };
  try {
    const runs = shapeRuns(shape, bbox, isbbox, width, height);
    return { categoryId, box: runs ? bboxOf(runs, height) : bbox, runs, points: undefined };
  } catch (error) {
    // A broken shape, which the exports report. Its box is all that is known.
    if (error instanceof Error) return { categoryId, box: bbox, runs: undefined, points: undefined };
    throw error;
  }
}

/**
 * Returns the overlap of two annotations, from 0 to 1: the intersection over the union (Jaccard, 1912) of their masks,
 * or of their boxes if one of them is a box; for keypoints without a shape, their similarity.
 */
export function overlapOf(a: Extent, b: Extent): number {
  if (a.points && b.points) return keypointSimilarity(a.points, b.points);
  if (a.points || b.points) return 0;
  const ofBoxes = boxOverlap(a.box, b.box);
  return ofBoxes > 0 && a.runs && b.runs ? maskOverlap(a.runs, b.runs) : ofBoxes;
}
