import { fieldsOfAnnotation } from "../../../shared/edits/make";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Rings } from "../../../shared/entities/shape";
import { subtract } from "../../../shared/geometry/boolean";
import { divideLines } from "../../../shared/geometry/lines/line";
import { boundsTouch, isRectangle } from "../../../shared/geometry/polygons";
import { ringBounds } from "../../../shared/geometry/ring";
import { boxOf } from "../canvas/shapes/shapes";
import type { Size } from "../canvas/view/view";
import { isBoxOnly } from "../document/outlines";
import { isAmong } from "./placing";
import type { PastedAnnotation } from "./readCocoText";

/** Returns an annotation's fields with the rings that it is displayed with. */
export function copyOf(annotation: Annotation, rings: Rings): PastedAnnotation {
  return { ...fieldsOfAnnotation(annotation), isbbox: annotation.isbbox || isBoxOnly(annotation), rings };
}

/**
 * Returns an annotation at the same position on an image, cut at the image's border and without keypoints outside the
 * image; null if no part of it is on the image.
 */
export function fittedTo(annotation: PastedAnnotation, image: Size): PastedAnnotation | null {
  const rings = cutAt(annotation.rings, image);
  const keypoints = annotation.keypoints?.filter(({ x, y }) => isInside(x, y, image)) ?? [];
  if (rings.length === 0 && !keypoints.some(({ v }) => v > 0)) return null;
  if (rings === annotation.rings && keypoints.length === (annotation.keypoints?.length ?? 0)) return annotation;
  return {
    ...annotation,
    rings,
    isbbox: annotation.isbbox === true && isRectangle(rings),
    keypoints: keypoints.length > 0 ? keypoints : null,
  };
}

const isInside = (x: number, y: number, { width, height }: Size): boolean =>
  x >= 0 && y >= 0 && x <= width && y <= height;

/**
 * Returns the part of a shape that lies on the image. Lines that touch the image are kept whole. A shape entirely on
 * the image is returned unchanged.
 */
function cutAt(rings: Rings, image: Size): Rings {
  const box = boxOf(rings, []);
  if (!box || (isInside(box.minX, box.minY, image) && isInside(box.maxX, box.maxY, image))) return rings;
  const { width, height } = image;
  const [left, top] = [Math.min(box.minX, 0) - 1, Math.min(box.minY, 0) - 1];
  const [right, bottom] = [Math.max(box.maxX, width) + 1, Math.max(box.maxY, height) + 1];
  const around = [left, top, right, top, right, bottom, left, bottom];
  const { lines, areas } = divideLines(rings);
  const seen = lines.filter(([line = []]) => boundsTouch(ringBounds(line), [0, 0, width, height]));
  return [...subtract(areas, [[around, [0, 0, 0, height, width, height, width, 0]]]), ...seen];
}

export interface Copies {
  annotations: PastedAnnotation[];
  /** Number of annotations that the image already has in the same place. */
  known: number;
  /** Number of annotations left out because the image already has annotations of their category. */
  skipped: number;
  /** Number of annotations that lie outside the image. */
  beyond: number;
}

/** Returns the copies of annotations for an image that already has the annotations `present`. */
export function copiesFor(
  copied: readonly PastedAnnotation[],
  image: Size,
  present: readonly Annotation[],
  skipsCategories: boolean,
): Copies {
  const copies: Copies = { annotations: [], known: 0, skipped: 0, beyond: 0 };
  const categories = new Set(present.map(({ category_id }) => category_id));
  for (const annotation of copied) {
    const fitted = fittedTo(annotation, image);
    if (!fitted) copies.beyond++;
    else if (isAmong(fitted, present)) copies.known++;
    else if (skipsCategories && categories.has(annotation.category_id)) copies.skipped++;
    else copies.annotations.push(fitted);
  }
  return copies;
}
