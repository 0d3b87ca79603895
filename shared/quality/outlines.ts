import { measure } from "../coco/measure";
import type { Ring, Rings } from "../entities/shape";
import { areSimple } from "../geometry/isSimple";
import { isLine } from "../geometry/lines/line";
import { ringBounds, signedArea, translateRing } from "../geometry/ring";
import type { CheckedAnnotation, CheckedImage } from "./checkedImage";
import type { Finding } from "./finding";

/** Largest number of pixels of a tiny annotation. */
export const TINY_PIXELS = 9;
/** Thickness in pixels below which an annotation is a sliver, and how many times longer than thick it is at least. */
export const SLIVER = { thickness: 3, slenderness: 12 };
/** Share of an outline's area from which a loop counts. */
export const CROSSING_SHARE = 0.05;
/** Largest usual number of pieces of an object that others cover. */
export const MOST_PIECES = 12;

/**
 * Finds annotations that are too small to be seen, thin as a hair, cross themselves, or have many pieces. Skips crowds.
 */
export function findBadOutlines(image: CheckedImage): Finding[] {
  return image.annotations.flatMap((annotation) => {
    if (annotation.iscrowd || isPoints(annotation)) return [];
    const rings = ringsOf(annotation);
    const common = { image: image.id, annotation: annotation.id };
    const { area, length } = sizeOf(annotation);
    const findings: Finding[] = [];
    if (area <= TINY_PIXELS) findings.push({ kind: "tiny", ...common, score: 1 / (1 + area), details: { area } });
    else if (isSliver(area, length)) {
      const thickness = area / length;
      findings.push({ kind: "sliver", ...common, score: length / thickness, details: { thickness, length } });
    }
    if (rings.length > MOST_PIECES) {
      const pieces = rings.length;
      findings.push({ kind: "pieces", ...common, score: pieces, details: { pieces } });
    }
    const share = Math.max(0, ...rings.flat().map((ring) => crossingShare(ring, image)));
    if (share > CROSSING_SHARE) findings.push({ kind: "crossing", ...common, score: share, details: { share } });
    return findings;
  });
}

/** Returns true for keypoints without a shape, and for lines, which have no area. */
function isPoints({ shape, isbbox }: CheckedAnnotation): boolean {
  if (shape === null) return !isbbox;
  return ringsOf({ shape }).some(isLine);
}

/** Returns the polygons of a shape; none for a mask, a box or keypoints. */
export function ringsOf({ shape }: Pick<CheckedAnnotation, "shape">): Rings {
  if (shape === null || "counts" in shape) return [];
  return Array.isArray(shape) ? shape.map((ring) => [ring]) : shape.rings;
}

function sizeOf({ isbbox, shape, bbox, area }: CheckedAnnotation): { area: number; length: number } {
  const length = Math.hypot(bbox[2], bbox[3]);
  return { area: isbbox || shape === null ? bbox[2] * bbox[3] : Math.min(area, bbox[2] * bbox[3]), length };
}

const isSliver = (area: number, length: number): boolean =>
  area / length < SLIVER.thickness && (length * length) / area > SLIVER.slenderness;

/**
 * Returns the share of a ring's area by which its filling (even-odd, as masks are made) and its signed area (Gauss's
 * shoelace formula) differ. They are equal but for rounding unless the ring crosses itself.
 */
function crossingShare(ring: Ring, { width, height }: { width: number; height: number }): number {
  if (ring.length < 8 || areSimple([ring])) return 0;
  const filled = filledArea(ring, width, height);
  const signed = Math.abs(signedArea(ring));
  return Math.max(0, Math.abs(filled - signed) - lengthOf(ring) / 2) / Math.max(1, filled, signed);
}

/** Returns the filled pixels of a ring, moved into a frame of its own so that the image's border does not cut it. */
function filledArea(ring: Ring, width: number, height: number): number {
  const [x, y, across, down] = ringBounds(ring);
  if (across > 4 * width || down > 4 * height) return Math.abs(signedArea(ring));
  try {
    const moved = translateRing(ring, -Math.floor(x), -Math.floor(y));
    return measure([[moved]], Math.ceil(across) + 2, Math.ceil(down) + 2).area;
  } catch (error) {
    // Too heavy to fill.
    if (error instanceof RangeError) return Math.abs(signedArea(ring));
    throw error;
  }
}

function lengthOf(ring: Ring): number {
  let length = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const next = (i + 2) % ring.length;
    length += Math.hypot(ring[next]! - ring[i]!, ring[next + 1]! - ring[i + 1]!);
  }
  return length;
}
