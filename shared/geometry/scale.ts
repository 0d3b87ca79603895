import type { Keypoint } from "../entities/keypoint";
import type { Bbox, Ring, Rings } from "../entities/shape";

/** Ratio of another image's width and height to this one's: image pixels there for one image pixel here. */
export interface Scale {
  x: number;
  y: number;
}

interface Size {
  width: number;
  height: number;
}

/** Farthest coordinate that a shape may have, in image pixels. */
const FARTHEST = 1e7;

export const scaleBetween = (from: Size, to: Size): Scale => ({ x: to.width / from.width, y: to.height / from.height });

export function scaleRing(ring: readonly number[], { x, y }: Scale): Ring {
  return ring.map((value, i) => held(value * (i % 2 === 0 ? x : y)));
}

export function scaleRings(rings: Rings, scale: Scale): Rings {
  return rings.map((polygon) => polygon.map((ring) => scaleRing(ring, scale)));
}

export function scaleBbox([left, top, width, height]: Bbox, { x, y }: Scale): Bbox {
  return [held(left * x), held(top * y), held(width * x), held(height * y)];
}

/** The places of points; labels and visibilities stay. A triple of zeros is unset and stays so. */
export function scaleKeypoints(points: readonly Keypoint[], { x, y }: Scale): Keypoint[] {
  return points.map((point) => ({ ...point, x: held(point.x * x), y: held(point.y * y) }));
}

/** Flat triples x, y, v. */
export function scaleTriples(flat: readonly number[], { x, y }: Scale): number[] {
  return flat.map((value, i) => (i % 3 === 0 ? held(value * x) : i % 3 === 1 ? held(value * y) : value));
}

const held = (value: number): number => Math.min(Math.max(value, -FARTHEST), FARTHEST);
