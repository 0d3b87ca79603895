import { Clipper, EndType, FillRule, JoinType } from "clipper2-ts";
import type { Ring, Rings } from "../entities/shape";
import { subtract, unite } from "./boolean";
import { toPath, toRing, toUnits } from "./clipping";
import { nest } from "./polygons";
import { signedArea } from "./ring";

/** The way of a round brush: the path of its centre (x, y, x, y, …; at least one point) and its radius, in image pixels. */
export interface Stroke {
  path: Ring;
  radius: number;
}

export interface PaintOptions {
  operation: "unite" | "subtract";
  /** How far the outline of the stroke may be from the true one, in image pixels. */
  simplify: number;
  /** Polygons smaller than this many square image pixels are dropped; 0 keeps all. */
  minArea: number;
}

/** The nearest that a drawn circle comes to a true one, in image pixels, however little is simplified. */
const FINEST = 0.1;

/** A shape with a brush stroke united with it or taken from it, as polygons with holes in image pixels. */
export function paint(shape: Rings, stroke: Stroke, { operation, simplify, minArea }: PaintOptions): Rings {
  const outline = strokeRings(stroke, simplify);
  const painted = operation === "unite" ? unite(shape, outline) : subtract(shape, outline);
  return painted.filter(([outer]) => Math.abs(signedArea(outer ?? [])) >= minArea);
}

/** What the brush covers on its way, without gaps: polygons with holes in image pixels. */
export function strokeRings({ path, radius }: Stroke, tolerance: number): Rings {
  if (path.length < 2 || radius <= 0) return [];
  const arc = toUnits(Math.max(tolerance / 2, FINEST));
  const paths = Clipper.inflatePaths([toPath(path)], toUnits(radius), JoinType.Round, EndType.Round, 2, arc);
  return nest(Clipper.union(paths, FillRule.NonZero).map(toRing));
}
