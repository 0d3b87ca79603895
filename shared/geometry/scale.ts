import type { Size } from "../entities/image";
import type { Keypoint } from "../entities/keypoint";
import type { Bbox, Ring, Rings } from "../entities/shape";

/** Ratio of the target image's width and height to those of the source image. */
export interface Scale {
  x: number;
  y: number;
}

/** Largest absolute coordinate of a shape, in image pixels. */
const MAX_ABSOLUTE = 1e7;

export const scaleBetween = (from: Size, to: Size): Scale => ({ x: to.width / from.width, y: to.height / from.height });

export function scaleRing(ring: readonly number[], { x, y }: Scale): Ring {
  return ring.map((value, i) => clamped(value * (i % 2 === 0 ? x : y)));
}

export function scaleRings(rings: Rings, scale: Scale): Rings {
  return rings.map((polygon) => polygon.map((ring) => scaleRing(ring, scale)));
}

export function scaleBbox([left, top, width, height]: Bbox, { x, y }: Scale): Bbox {
  return [clamped(left * x), clamped(top * y), clamped(width * x), clamped(height * y)];
}

/** Scales positions; labels and visibilities stay the same. */
export function scaleKeypoints(points: readonly Keypoint[], { x, y }: Scale): Keypoint[] {
  return points.map((point) => ({ ...point, x: clamped(point.x * x), y: clamped(point.y * y) }));
}

/** Scales flat triples x, y, v; visibilities stay the same, and unset triples of zeros stay unset. */
export function scaleTriples(flat: readonly number[], { x, y }: Scale): number[] {
  return flat.map((value, i) => (i % 3 === 0 ? clamped(value * x) : i % 3 === 1 ? clamped(value * y) : value));
}

const clamped = (value: number): number => Math.min(Math.max(value, -MAX_ABSOLUTE), MAX_ABSOLUTE);
