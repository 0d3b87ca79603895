import type { AnnotationChange } from "../../../shared/edits/edit";
import { same } from "../../../shared/edits/same";
import type { Annotation } from "../../../shared/entities/annotation";
import { translateRings } from "../../../shared/geometry/polygons";
import { around, type Box, boxOf, overlap } from "../canvas/shapes/shapes";
import type { Point, Size } from "../canvas/view/view";
import { movedKeypoints } from "../keypoints/model/points";
import { limitedDistance } from "../selected/move";
import type { PastedAnnotation } from "./readCocoText";

/** Distance between an annotation and its copy on the same image, in image pixels. */
const STEP = 10;
/** Maximum number of copies that are placed side by side; further copies lie on top of the last one. */
const MAX_STEPS = 100;

const boxOfAnnotation = ({ rings, keypoints }: PastedAnnotation): Box | null =>
  boxOf(rings, keypoints?.filter(({ v }) => v > 0) ?? []);

const boxOfAll = (annotations: readonly PastedAnnotation[]): Box | null =>
  annotations.map(boxOfAnnotation).reduce(around, null);

/** Returns annotations moved by a distance in image pixels. */
function moved(annotations: readonly PastedAnnotation[], by: Point): PastedAnnotation[] {
  if (by.x === 0 && by.y === 0) return [...annotations];
  return annotations.map((annotation) => ({
    ...annotation,
    rings: translateRings(annotation.rings, by.x, by.y),
    ...(annotation.keypoints && { keypoints: movedKeypoints(annotation.keypoints, by) }),
  }));
}

/**
 * Returns annotations moved beside their place: to the lower right or, at the lower right edge of the image, to the
 * upper left.
 */
export function placedBeside(annotations: readonly PastedAnnotation[], image: Size): PastedAnnotation[] {
  const box = boxOfAll(annotations);
  const by = limitedDistance({ x: STEP, y: STEP }, box, image);
  const isStuck = by.x === 0 && by.y === 0;
  return moved(annotations, isStuck ? limitedDistance({ x: -STEP, y: -STEP }, box, image) : by);
}

/** Returns annotations moved onto the image, if they fit on it. */
function placedInImage(annotations: readonly PastedAnnotation[], image: Size): PastedAnnotation[] {
  const box = boxOfAll(annotations);
  if (!box) return [...annotations];
  return moved(annotations, {
    x: inward(box.minX, box.maxX, image.width),
    y: inward(box.minY, box.maxY, image.height),
  });
}

/**
 * Returns annotations at their own place or, if the image already has them there, at the first free place beside it.
 */
export function placedFreely(
  annotations: readonly PastedAnnotation[],
  image: Size,
  present: Iterable<Annotation>,
): PastedAnnotation[] {
  const known = [...present];
  let placed = placedInImage(annotations, image);
  for (let i = 0; i < MAX_STEPS && placed[0] && isAmong(placed[0], known); i++) placed = placedBeside(placed, image);
  return placed;
}

/** Returns true if any part of an annotation is on the image. */
export function isOnImage(annotation: PastedAnnotation, { width, height }: Size): boolean {
  const box = boxOfAnnotation(annotation);
  return box !== null && overlap(box, { minX: 0, minY: 0, maxX: width, maxY: height });
}

/** Returns true if an annotation of the same category has the same shape and keypoints in the same place. */
export function isAmong(placed: AnnotationChange, known: readonly Annotation[]): boolean {
  return known.some(
    ({ category_id, rings, keypoints }) =>
      category_id === placed.category_id &&
      same(rings ?? [], placed.rings ?? []) &&
      same(keypoints ?? [], placed.keypoints ?? []),
  );
}

/** Returns the distance by which an interval must move to lie between 0 and `end`; 0 if it is too long. */
function inward(from: number, to: number, end: number): number {
  if (to - from > end) return 0;
  return Math.max(-from, 0) + Math.min(end - to, 0);
}
