import type { Json } from "../../../../shared/entities/scalars";
import type { Ring, Rings } from "../../../../shared/entities/shape";
import { centredPaths, PaperJsonError, placedPath } from "../../../../shared/geometry/paperJson";
import { pointInside } from "../../../../shared/geometry/pointInside";
import { nest } from "../../../../shared/geometry/polygons";
import { openRing, ringContains, signedArea } from "../../../../shared/geometry/ring";

/** Groups of paper.js: their children are one shape here. */
const GROUPS = new Set(["CompoundPath", "Group", "Layer"]);
const MAX_ABSOLUTE = 1e7;
const MAX_DEPTH = 8;

/** Polygons read from a paper.js object. */
export interface PaperShape {
  rings: Rings;
  /** True if a part was not a path, or had unusable points that were left out. */
  isPartial: boolean;
}

/**
 * Returns the polygons of a paper.js object, whose origin is in the middle of an image of this size. Curves become
 * lines. Unlike `fromPaperJson`, leaves out what it cannot read: points that are not numbers, paths of fewer than three
 * points. Rings are filled as paper.js fills them. Returns undefined for a value that is not a paper.js object.
 */
export function paperShape(value: Json, width: number, height: number): PaperShape | undefined {
  const reading = { isPartial: false };
  const item = readItem(withoutDictionary(value), reading, 0);
  if (!item) return undefined;
  try {
    const paths = centredPaths(item, Number.POSITIVE_INFINITY).map((path) => openRing(placedPath(path, width, height)));
    const rings = paths.filter((ring) => ring.length >= 6);
    if (rings.length < paths.length) reading.isPartial = true;
    const isEvenOdd = item[1].fillRule === "evenodd";
    return { rings: isEvenOdd ? nest(rings) : fillNonZero(rings), isPartial: reading.isPartial };
  } catch (error) {
    if (error instanceof PaperJsonError) return undefined;
    throw error;
  }
}

type Body = { [key: string]: Json };
type Item = [kind: string, body: Body];
type Reading = { isPartial: boolean };

/** Removes the list of shared definitions that paper.js puts before an item that uses some. */
function withoutDictionary(json: Json): Json {
  const isList = Array.isArray(json) && json.length === 2 && Array.isArray(json[0]) && json[0][0] === "dictionary";
  return isList ? (json[1] ?? null) : json;
}

function readItem(json: Json, reading: Reading, depth: number): Item | undefined {
  const [kind, body] = Array.isArray(json) ? json : [];
  const isBody = typeof body === "object" && body !== null && !Array.isArray(body);
  if (typeof kind !== "string" || !isBody || depth > MAX_DEPTH) return undefined;
  const matrix = matrixOf(body.matrix) ?? null;
  if (kind === "Path") return [kind, { matrix, segments: segmentsOf(body, reading), closed: body.closed === true }];
  if (!GROUPS.has(kind)) return undefined;
  const children: Item[] = [];
  for (const child of Array.isArray(body.children) ? body.children : []) {
    const item = readItem(child, reading, depth + 1);
    if (item) children.push(item);
    else reading.isPartial = true;
  }
  return ["CompoundPath", { matrix, children, fillRule: body.fillRule ?? null }];
}

function matrixOf(json: Json | undefined): number[] | undefined {
  const list = Array.isArray(json) ? json.filter((value) => value !== "Matrix") : [];
  return list.length === 6 && list.every(isNumber) ? (list as number[]) : undefined;
}

const isNumber = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && Math.abs(value) <= MAX_ABSOLUTE;

const isPoint = (value: Json | undefined): value is number[] =>
  Array.isArray(value) && value.length === 2 && value.every(isNumber);

function segmentsOf({ segments }: Body, reading: Reading): Json[] {
  const read: Json[] = [];
  for (const segment of Array.isArray(segments) ? segments : []) {
    const [point, before, after] = Array.isArray(segment) ? segment : [];
    if (isPoint(segment)) read.push(segment);
    else if (isPoint(point)) read.push([point, isPoint(before) ? before : null, isPoint(after) ? after : null]);
    else reading.isPartial = true;
  }
  return read;
}

/**
 * Groups rings into polygons by paper.js's default fill rule: a ring around which the outlines turn in both directions
 * equally often is a hole; a ring inside another one that turns the same way changes nothing.
 */
export function fillNonZero(rings: readonly Ring[]): Rings {
  const nested = nest(rings);
  if (nested.every(([outer, ...holes]) => holes.every((hole) => signOf(hole) !== signOf(outer!)))) return nested;
  const bySize = rings
    .map((ring) => ({ ring, area: Math.abs(signedArea(ring)), winding: 0, isFilled: true }))
    .sort((a, b) => b.area - a.area);
  const kept: Ring[] = [];
  bySize.forEach((item, i) => {
    const [x, y] = pointInside(item.ring);
    const parent = bySize.slice(0, i).findLast(({ ring }) => ringContains(ring, x, y));
    item.winding = (parent?.winding ?? 0) + signOf(item.ring);
    item.isFilled = item.winding !== 0;
    if (item.isFilled !== (parent?.isFilled ?? false) || (parent && !isInside(item.ring, parent.ring)))
      kept.push(item.ring);
  });
  const order = new Map(rings.map((ring, index) => [ring, index]));
  return nest(kept.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)));
}

const signOf = (ring: Ring): number => (signedArea(ring) < 0 ? -1 : 1);

function isInside(inner: Ring, outer: Ring): boolean {
  for (let i = 0; i + 1 < inner.length; i += 2) if (!ringContains(outer, inner[i]!, inner[i + 1]!)) return false;
  return true;
}
