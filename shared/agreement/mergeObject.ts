import type { Runs } from "../coco/mask";
import { boxRing, shapeRings } from "../coco/measure";
import { shapeRuns } from "../coco/shapeRuns";
import type { Size } from "../entities/image";
import type { Keypoint } from "../entities/keypoint";
import type { Bbox, Rings } from "../entities/shape";
import { mergeShapes } from "../geometry/operations/merge";
import { ringsBounds } from "../geometry/polygons";
import { fairOutline } from "../wand/fairOutline";
import type { ComparedAnnotation } from "./compared";
import { meanOutline } from "./meanOutline";

/** Tolerance in pixels by which the steps of a mean outline along pixel edges are smoothed. */
const TOLERANCE = 0.5;

/** The shape of an object that several users have drawn. `rings` is empty for keypoints alone. */
export interface MergedShape {
  category_id: number;
  rings: Rings;
  isbbox: boolean;
  keypoints: Keypoint[] | null;
}

/** Returns the shape as one user has drawn it. Throws as `shapeRings` does. */
export const takeOne = ({ category_id, shape, bbox, isbbox, keypoints }: ComparedAnnotation): MergedShape => ({
  category_id,
  rings: shapeRings(shape, bbox, isbbox),
  isbbox,
  keypoints,
});

/**
 * Returns what at least one user has drawn: the union of the outlines, or the box around all boxes. Each keypoint is
 * that of the first user who has it.
 */
export function unionOf(drawn: readonly ComparedAnnotation[]): MergedShape {
  const each = drawn.map(takeOne);
  const isbbox = each.every((one) => one.isbbox);
  const outlines = each.map(({ rings }) => rings);
  const rings = isbbox ? [[boxRing(ringsBounds(outlines.flat()))]] : mergeShapes(outlines);
  return { category_id: commonCategory(drawn), rings, isbbox, keypoints: pointsOf(drawn, ([first]) => first!) };
}

/**
 * Returns the mean of what users have drawn: the mean outline, or the box with the mean sides. Each keypoint that at
 * least half of them have lies in the mean of its places. Users who agree on nothing, and lines, give the first user's
 * outline. Throws a RangeError if the outlines are too large.
 */
export function meanOf(drawn: readonly ComparedAnnotation[], size: Size): MergedShape {
  const isbbox = drawn.every((one) => one.isbbox);
  const known = drawn.filter(({ shape, isbbox: isBox }) => isBox || shape !== null);
  const masks = isbbox ? [] : known.map((one) => maskOf(one, size));
  const outline = isbbox ? [[boxRing(meanBox(drawn))]] : fairOutline(meanOutline(masks, size), TOLERANCE);
  const rings = outline.length > 0 || known.length === 0 ? outline : takeOne(known[0]!).rings;
  const keypoints = pointsOf(drawn, (places) => (2 * places.length >= drawn.length ? meanPoint(places) : undefined));
  return { category_id: commonCategory(drawn), rings, isbbox, keypoints };
}

const maskOf = ({ shape, bbox, isbbox }: ComparedAnnotation, { width, height }: Size): Runs =>
  shapeRuns(shape, bbox, isbbox, width, height) ?? [];

/** Returns the category that most users chose; of equally many, the one that was chosen first. */
export function commonCategory(drawn: readonly ComparedAnnotation[]): number {
  const counts = new Map<number, number>();
  for (const { category_id } of drawn) counts.set(category_id, (counts.get(category_id) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)![0];
}

const meanBox = (drawn: readonly ComparedAnnotation[]): Bbox =>
  [0, 1, 2, 3].map((side) => mean(drawn.map(({ bbox }) => bbox[side]!))) as Bbox;

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** Combines the places of each keypoint, in the order of the labels; null if nobody has keypoints. */
function pointsOf(
  drawn: readonly ComparedAnnotation[],
  combine: (places: readonly Keypoint[]) => Keypoint | undefined,
): Keypoint[] | null {
  const all = drawn.flatMap(({ keypoints }) => keypoints ?? []).filter(({ v }) => v > 0);
  if (drawn.every(({ keypoints }) => keypoints === null)) return null;
  const labels = [...new Set(all.map(({ label }) => label))].sort((a, b) => a - b);
  return labels.flatMap((label) => combine(all.filter((point) => point.label === label)) ?? []);
}

const meanPoint = (places: readonly Keypoint[]): Keypoint => ({
  label: places[0]!.label,
  x: mean(places.map(({ x }) => x)),
  y: mean(places.map(({ y }) => y)),
  v: Math.max(...places.map(({ v }) => v)),
});
