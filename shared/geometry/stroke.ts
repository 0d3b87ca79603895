import { Clipper, EndType, FillRule, JoinType } from "clipper2-ts";
import type { Ring, Rings } from "../entities/shape";
import { toPath, toRing, toUnits } from "./clipping";
import { combine, touch } from "./combine";
import { nest, ringsBounds } from "./polygons";
import { ringBounds, signedArea } from "./ring";

/** The way of a round brush: the path of its centre (x, y, x, y, …; at least one point) and its radius, in image pixels. */
export interface Stroke {
  path: Ring;
  radius: number;
}

export interface PaintOptions {
  operation: "unite" | "subtract";
  /** How far the outline of the stroke may be from the true one, in image pixels. */
  simplify: number;
  /** Polygons at the stroke that are smaller than this many square image pixels are dropped; 0 keeps all. */
  minArea: number;
  /** What of the stroke lies outside a picture of this size is cut away; without it nothing is. */
  within?: { width: number; height: number };
}

/** The nearest that a drawn circle comes to a true one, in image pixels, however little is simplified. */
const FINEST = 0.1;

/** A shape with a brush stroke united with it or taken from it, as polygons with holes in image pixels; see `combine`. */
export function paint(shape: Rings, stroke: Stroke, { operation, simplify, minArea, within }: PaintOptions): Rings {
  const outline = strokeRings(stroke, simplify, within);
  const painted = combine(operation, shape, outline);
  if (painted === shape || minArea === 0) return painted;
  const box = ringsBounds(outline);
  return painted.filter(([outer = []]) => Math.abs(signedArea(outer)) >= minArea || !touch(ringBounds(outer), box));
}

/** What the brush covers on its way (of a picture of a size), without gaps: polygons with holes in image pixels. */
export function strokeRings({ path, radius }: Stroke, tolerance: number, within?: PaintOptions["within"]): Rings {
  if (path.length < 2 || radius <= 0) return [];
  const arc = toUnits(Math.max(tolerance / 2, FINEST));
  const paths = Clipper.inflatePaths([toPath(path)], toUnits(radius), JoinType.Round, EndType.Round, 2, arc);
  const picture = within && toPath([0, 0, within.width, 0, within.width, within.height, 0, within.height]);
  const covered = picture
    ? Clipper.intersect(paths, [picture], FillRule.NonZero)
    : Clipper.union(paths, FillRule.NonZero);
  return nest(covered.map(toRing));
}
