import { keypointBbox, measureWithLines } from "../coco/measure";
import { RleError, runsOf } from "../coco/rle";
import { areaOf, bboxOf } from "../coco/runs";
import type { Annotation } from "../entities/annotation";
import type { Size } from "../entities/image";
import type { Rings } from "../entities/shape";
import { same } from "./same";

/** An annotation that may say how its shape is stored (shared/api/offline.ts). */
type Measurable = Annotation & { stored?: string | undefined };

/**
 * Returns an annotation after edits with the area and box that the server will compute, in pixels of an image of this
 * size. `before` is the same annotation as the server sent it; undefined if it is new. A shape that cannot be measured,
 * which the server will refuse, keeps its area and box.
 */
export function measureEdited<A extends Measurable>(before: A | undefined, after: A, size: Size): A {
  if (before && before.isbbox === after.isbbox && same(before.rings, after.rings))
    return isDrawn(after) || same(before.keypoints, after.keypoints)
      ? after
      : { ...after, bbox: keypointBbox(after.keypoints ?? []) };
  try {
    return { ...after, stored: undefined, ...measured(after, size) };
  } catch (error) {
    if (error instanceof RangeError || error instanceof RleError) return after;
    throw error;
  }
}

function measured({ rings, rle, isbbox, keypoints }: Annotation, { width, height }: Size) {
  if (rings === null && rle) {
    const runs = runsOf(rle);
    return { area: areaOf(runs), bbox: bboxOf(runs, rle.size[0]), isbbox };
  }
  if (!hasPoints(rings)) return { area: 0, bbox: keypointBbox(keypoints ?? []), isbbox: false };
  return { ...measureWithLines(rings ?? [], width, height), isbbox };
}

const isDrawn = ({ rings, rle, isbbox }: Annotation): boolean =>
  isbbox || hasPoints(rings) || (rings === null && rle !== null);

const hasPoints = (rings: Rings | null): boolean =>
  (rings ?? []).some((polygon) => polygon.some((ring) => ring.length > 0));
