import { Clipper, EndType, FillRule, JoinType, type Paths64 } from "clipper2-ts";
import type { Ring, Rings } from "../entities/shape";
import { toPath, toRing, toUnits } from "./clipping";
import { combine, extent } from "./combine";
import { type Disc, simplifyDiscs, taperedRing } from "./lines/taper";
import { nest } from "./polygons";
import { ringBounds } from "./ring";
import { simplifyLine } from "./simplify";

/** A stroke of a round brush: path of its centre (x, y, x, y, …; at least one point) and radius, in image pixels. */
export interface Stroke {
  path: Ring;
  radius: number;
  /** The radius at each point of the path, if it changes along it. */
  radii?: number[];
}

export interface PaintOptions {
  operation: "unite" | "subtract";
  /** Largest distance of the stroke's outline from the exact one, in image pixels. */
  simplify: number;
  /** Polygons changed by the stroke that are smaller than this, in square image pixels, are dropped; 0 keeps all. */
  minArea: number;
  /** Clips the stroke to an image of this size; if absent, nothing is clipped. */
  within?: { width: number; height: number };
}

/** Smallest deviation from a true circle, in image pixels, even without simplification. */
const FINEST = 0.1;
/** Largest deviation from a small circle, as a share of its radius: the circle becomes at least an octagon. */
const SHARE_OF_RADIUS = 0.05;
/** Largest width or height of an image, in pixels. */
const LARGEST = 1e5;
/**
 * Difference between the radii of a brush and of an eraser of the same size, in image pixels, so that repainting an
 * erased area leaves no hairline.
 */
const SEAM = 0.02;

/** Adds a brush stroke to a shape or erases it. Returns polygons with holes in image pixels; see `combine`. */
export function paint(shape: Rings, stroke: Stroke, { operation, simplify, minArea, within }: PaintOptions): Rings {
  if (!(stroke.radius > 0)) return shape;
  const outline = strokeRings(operation === "unite" ? widened(stroke, SEAM) : stroke, simplify, within);
  const painted = combine(operation, shape, outline);
  if (painted === shape || minArea === 0) return painted;
  const before = new Set(shape.filter((polygon) => extent([polygon]) < minArea).map(mark));
  return painted.filter((polygon) => extent([polygon]) >= minArea || before.has(mark(polygon)));
}

function widened({ path, radius, radii }: Stroke, by: number): Stroke {
  return { path, radius: radius + by, ...(radii && { radii: radii.map((each) => each + by) }) };
}

/**
 * Returns a key that tells an unchanged small polygon from new ones, even if its points now start at another vertex.
 */
function mark([outer = []]: Ring[]): string {
  return `${outer.length} ${ringBounds(outer)}`;
}

/**
 * Returns the area that the brush covers, optionally clipped to an image size, without gaps: polygons with holes in
 * image pixels. Empty if the radius is not above 0; points of the path that are not finite numbers are left out.
 */
export function strokeRings(stroke: Stroke, tolerance: number, within?: PaintOptions["within"]): Rings {
  const deviation = Math.max(tolerance / 4, FINEST) || FINEST;
  const covered = stroke.radii
    ? coveredByDiscs(discsOf(stroke), tolerance, deviation)
    : coveredByPath(stroke, deviation);
  if (!within || covered.length === 0) return nest(covered.map(toRing));
  const image = toPath([0, 0, within.width, 0, within.width, within.height, 0, within.height]);
  return nest(Clipper.intersect(covered, [image], FillRule.NonZero).map(toRing));
}

function coveredByPath(stroke: Stroke, deviation: number): Paths64 {
  const radius = Math.min(stroke.radius, LARGEST);
  const points = finitePoints(stroke.path);
  if (points.length < 2 || !(radius > 0)) return [];
  const path = toPath(simplifyLine(points, deviation));
  const arc = Math.min(toUnits(deviation), SHARE_OF_RADIUS * radius * toUnits(1));
  return Clipper.inflatePaths([path], toUnits(radius), JoinType.Round, EndType.Round, 2, arc);
}

function coveredByDiscs(discs: readonly Disc[], tolerance: number, deviation: number): Paths64 {
  if (discs.length === 0) return [];
  const kept = simplifyDiscs(discs, Math.max(tolerance / 2, deviation));
  const rings = kept.slice(1).map((disc, i) => taperedRing(kept[i]!, disc, deviation));
  if (rings.length === 0) rings.push(taperedRing(kept[0]!, kept[0]!, deviation));
  return united(rings.map((ring) => [toPath(ring)]));
}

/**
 * Returns the union of areas. Unites neighbours first, which overlap most: uniting all at once would take ten times as
 * long.
 */
function united(areas: readonly Paths64[]): Paths64 {
  if (areas.length <= 2) return Clipper.union(areas.flat(), FillRule.NonZero);
  const middle = areas.length >> 1;
  return united([united(areas.slice(0, middle)), united(areas.slice(middle))]);
}

function discsOf({ path, radius, radii = [] }: Stroke): Disc[] {
  const discs = radii.map((each, i) => ({
    x: path[2 * i] ?? Number.NaN,
    y: path[2 * i + 1] ?? Number.NaN,
    radius: Math.min(each, radius, LARGEST),
  }));
  return discs.filter((disc) => Number.isFinite(disc.x) && Number.isFinite(disc.y) && disc.radius > 0);
}

function finitePoints(path: Ring): Ring {
  if (path.length % 2 === 0 && path.every(Number.isFinite)) return path;
  const out: Ring = [];
  for (let i = 0; i + 1 < path.length; i += 2) {
    if (Number.isFinite(path[i]) && Number.isFinite(path[i + 1])) out.push(path[i]!, path[i + 1]!);
  }
  return out;
}
