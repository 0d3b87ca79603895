import { bboxOf } from "../coco/mask";
import { RleError, runsOf } from "../coco/rle";
import type { Bbox } from "../entities/shape";
import { isLine } from "../geometry/lines/line";
import { ringsBounds } from "../geometry/polygons";
import type { CheckedAnnotation, CheckedImage } from "./checkedImage";
import type { Finding } from "./finding";
import { ringsOf } from "./outlines";

/** Pixels that an annotation may extend beyond the image: rounding of many tools. */
export const OUTSIDE_PIXELS = 2;
/** Pixels, and share of the box's side, by which a side of the box may be away from the shape's. */
export const BOX_TOLERANCE = { pixels: 3, share: 0.03 };
/** The same for small boxes, where three pixels are much: more than the rounding of both sides. */
export const SMALL_BOX_TOLERANCE = { pixels: 1.5, share: 0.1 };
/** Pixels, and share of the box's side, that a keypoint may be outside the box. */
export const POINT_TOLERANCE = { pixels: 4, share: 0.1 };

/** Finds annotations beyond the image, boxes that do not fit their shape, and keypoints outside their box. */
export function findMisplaced(image: CheckedImage): Finding[] {
  return image.annotations.flatMap((annotation) => {
    const common = { image: image.id, annotation: annotation.id };
    const bounds = boundsOf(annotation);
    const findings: Finding[] = [];
    const outside = beyond(bounds && !annotation.isbbox ? bounds : annotation.bbox, image);
    if (outside > OUTSIDE_PIXELS)
      findings.push({ kind: "outside", ...common, score: outside, details: { pixels: outside } });
    if (bounds && !annotation.isbbox) {
      const off = distanceOf(annotation.bbox, clipped(bounds, image), bounds);
      if (off.isFar)
        findings.push({ kind: "boxMismatch", ...common, score: off.pixels, details: { pixels: off.pixels } });
    }
    const points = pointsOutside(annotation);
    if (points.count > 0)
      findings.push({ kind: "pointsOutside", ...common, score: points.pixels, details: { ...points } });
    return findings;
  });
}

/** Returns the box around a shape as stored; undefined for boxes, keypoints, broken masks and lines. */
export function boundsOf(annotation: Pick<CheckedAnnotation, "shape">): Bbox | undefined {
  const { shape } = annotation;
  if (shape !== null && "counts" in shape) {
    try {
      const box = bboxOf(runsOf(shape), shape.size[0]);
      return box[2] > 0 ? box : undefined;
    } catch (error) {
      if (error instanceof RleError) return undefined;
      throw error;
    }
  }
  const rings = ringsOf(annotation);
  if (rings.length === 0 || rings.some(isLine)) return undefined;
  return ringsBounds(rings);
}

/** Returns by how many pixels a box extends beyond the image. */
function beyond([x, y, across, down]: Bbox, { width, height }: CheckedImage): number {
  return Math.max(0, -x, -y, x + across - width, y + down - height);
}

function clipped([x, y, across, down]: Bbox, { width, height }: CheckedImage): Bbox {
  const left = Math.max(0, Math.min(width, x));
  const top = Math.max(0, Math.min(height, y));
  return [left, top, Math.min(width, x + across) - left, Math.min(height, y + down) - top];
}

/**
 * Returns the largest distance of a side of the box from the same side of the shape, in pixels. A shape may count with
 * or without its part beyond the image.
 */
function distanceOf(box: Bbox, ...shapes: Bbox[]): { pixels: number; isFar: boolean } {
  const distances = shapes.map((shape) => {
    const sides = [box[0] - shape[0], box[1] - shape[1], right(box) - right(shape), bottom(box) - bottom(shape)];
    const pixels = Math.max(...sides.map(Math.abs));
    const lengths = [box[2], box[3], box[2], box[3]];
    const isFar = [BOX_TOLERANCE, SMALL_BOX_TOLERANCE].some((tolerance) =>
      sides.some((distance, i) => Math.abs(distance) > Math.max(tolerance.pixels, tolerance.share * lengths[i]!)),
    );
    return { pixels, isFar };
  });
  return distances.find(({ isFar }) => !isFar) ?? distances[0]!;
}

const right = (box: Bbox): number => box[0] + box[2];
const bottom = (box: Bbox): number => box[1] + box[3];

/** Returns the number of labelled keypoints outside the box, and how far the farthest is, in pixels. */
function pointsOutside({ bbox, keypoints, shape, isbbox }: CheckedAnnotation): { count: number; pixels: number } {
  const result = { count: 0, pixels: 0 };
  // Without a shape, the box is the one around the keypoints.
  if (!keypoints || (shape === null && !isbbox)) return result;
  const allowed = [bbox[2], bbox[3]].map((side) => Math.max(POINT_TOLERANCE.pixels, POINT_TOLERANCE.share * side)) as [
    number,
    number,
  ];
  for (const { x, y, v } of keypoints) {
    if (v === 0) continue;
    const across = Math.max(bbox[0] - x, x - right(bbox), 0);
    const down = Math.max(bbox[1] - y, y - bottom(bbox), 0);
    if (across <= allowed[0] && down <= allowed[1]) continue;
    result.count++;
    result.pixels = Math.max(result.pixels, across, down);
  }
  return result;
}
