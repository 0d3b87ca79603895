import { MAX_COORDINATES } from "../constants";
import type { Ring, Rings } from "../entities/shape";
import { flattenCurve } from "./curve";
import { nest } from "./polygons";
import { turned } from "./ring";

/**
 * A shape in paper.js's JSON, as older clients send and expect it: a CompoundPath of closed Paths with its origin in
 * the middle of the image. A segment is [x, y] or [[x, y], [in], [out]], with handles relative to the point.
 */
export type PaperJson = ["CompoundPath", Record<string, unknown>];

/** Error for JSON that is not a shape of paper.js. */
export class PaperJsonError extends Error {
  override name = "PaperJsonError";
}

/** Error for a shape that has too many coordinates. */
export class TooManyCoordinates extends PaperJsonError {}

/** [a, b, c, d, tx, ty]: x' = a x + c y + tx, y' = b x + d y + ty. */
type Matrix = readonly [number, number, number, number, number, number];
type Point = readonly [number, number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
const MAX_DEPTH = 8;
/** Limit that keeps the nesting of holes fast: it takes a second for ten times this number. */
const MAX_PATHS = 10_000;
const MAX_ABSOLUTE = 1e7;

/**
 * Returns the polygons of a CompoundPath or Path in paper.js's JSON, in image pixels from the top left corner. Curves
 * become lines at most about a quarter of a pixel away, coordinates have two decimals, empty paths are left out. Throws
 * a PaperJsonError for anything else, for more coordinates than an annotation may have, and for more than 10,000 paths.
 */
export function fromPaperJson(json: unknown, width: number, height: number): Rings {
  return nest(pathsOfPaperJson(json, width, height));
}

/** Returns the paths like fromPaperJson, but as separate rings in their original order. */
export function pathsOfPaperJson(json: unknown, width: number, height: number): Ring[] {
  return centredPaths(json).map((ring) => placedPath(ring, width, height));
}

/** Converts a path from centredPaths to the pixels of an image of this size. */
export function placedPath(ring: ArrayLike<number>, width: number, height: number): Ring {
  const placed: Ring = [];
  for (let i = 0; i < ring.length; i++) placed.push(rounded(ring[i]! + (i % 2 === 0 ? width : height) / 2));
  return placed;
}

/**
 * Returns the paths with the origin in the middle of the image, without rounding. The size of the image is not needed.
 */
export function centredPaths(json: unknown, maxCoordinates = MAX_COORDINATES): Ring[] {
  const rings: Ring[] = [];
  let left = maxCoordinates;
  const visit = (item: unknown, outer: Matrix, depth: number) => {
    if (depth > MAX_DEPTH) throw new PaperJsonError("Paths are nested too deeply");
    const [kind, body] = typed(item);
    const matrix = body.matrix == null ? outer : multiply(outer, matrixOf(body.matrix));
    if (kind === "CompoundPath") {
      for (const child of listOf(body.children, "children")) visit(child, matrix, depth + 1);
      return;
    }
    const ring = ringOf(listOf(body.segments, "segments"), body.closed === true, matrix, left);
    left -= ring.length;
    if (ring.length > 0) rings.push(ring);
    if (rings.length > MAX_PATHS) throw new PaperJsonError(`More than ${MAX_PATHS} paths`);
  };
  visit(withoutDictionary(json), IDENTITY, 0);
  return rings;
}

/**
 * Returns the paper.js JSON of polygons in image pixels, with two decimals. Outer rings run clockwise and holes
 * counterclockwise, so that holes are visible with any fill rule. `color` is #rrggbb.
 */
export function toPaperJson(rings: Rings, width: number, height: number, { color }: { color: string }): PaperJson {
  const children = rings.flatMap((polygon) =>
    polygon.map((ring, i) => [
      "Path",
      { applyMatrix: true, segments: centred(turned(ring, i === 0), width, height), closed: true },
    ]),
  );
  return ["CompoundPath", { applyMatrix: true, children, fillColor: components(color) }];
}

function centred(ring: Ring, width: number, height: number): Point[] {
  const points: Point[] = [];
  for (let i = 0; i + 1 < ring.length; i += 2)
    points.push([rounded(ring[i]! - width / 2), rounded(ring[i + 1]! - height / 2)]);
  return points;
}

/** Returns red, green and blue from 0 to 1. */
function components(color: string): number[] {
  return [1, 3, 5].map((at) => Math.round((Number.parseInt(color.slice(at, at + 2), 16) / 255) * 1e5) / 1e5);
}

/** Rounds to two decimals; never returns minus zero. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

/** Removes the list of shared definitions that paper.js puts before an item that uses some. */
function withoutDictionary(json: unknown): unknown {
  if (!Array.isArray(json) || json.length !== 2) return json;
  const [first] = json;
  return Array.isArray(first) && first[0] === "dictionary" ? json[1] : json;
}

function typed(item: unknown): [kind: "Path" | "CompoundPath", body: Record<string, unknown>] {
  if (!Array.isArray(item) || item.length !== 2) throw new PaperJsonError("A path is a pair of its kind and its body");
  const [kind, body]: unknown[] = item;
  if (kind !== "Path" && kind !== "CompoundPath") throw new PaperJsonError("Only Path and CompoundPath are supported");
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new PaperJsonError(`The body of a ${kind} is not an object`);
  return [kind, body as Record<string, unknown>];
}

function listOf(value: unknown, name: string): unknown[] {
  if (value == null) return [];
  if (!Array.isArray(value)) throw new PaperJsonError(`"${name}" is not a list`);
  return value;
}

function numbersOf(value: unknown, count: number, name: string): number[] {
  const list = listOf(value, name);
  const isGood = (n: unknown) => typeof n === "number" && Number.isFinite(n) && Math.abs(n) <= MAX_ABSOLUTE;
  if (list.length !== count || !list.every(isGood)) throw new PaperJsonError(`"${name}" is not ${count} numbers`);
  return list as number[];
}

function pointOf(value: unknown, name: string): Point {
  const [x, y] = numbersOf(value, 2, name);
  return [x!, y!];
}

function matrixOf(value: unknown): Matrix {
  const [a, b, c, d, tx, ty] = numbersOf(value, 6, "matrix");
  return [a!, b!, c!, d!, tx!, ty!];
}

function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

function apply(m: Matrix, [x, y]: Point): Point {
  const point: Point = [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]];
  if (!point.every((value) => Math.abs(value) <= MAX_ABSOLUTE)) throw new PaperJsonError("A coordinate is too large");
  return point;
}

/** A point with its incoming and outgoing control points, all absolute. */
interface Segment {
  point: Point;
  before: Point;
  after: Point;
}

function segmentOf(value: unknown, matrix: Matrix): Segment {
  const parts = listOf(value, "segment");
  if (!Array.isArray(parts[0])) {
    const point = apply(matrix, pointOf(value, "segment"));
    return { point, before: point, after: point };
  }
  if (parts.length > 4) throw new PaperJsonError("A segment has a point and two handles");
  const [x, y] = pointOf(parts[0], "point");
  const control = (handle: unknown): Point => {
    const [dx, dy] = handle == null ? [0, 0] : pointOf(handle, "handle");
    return apply(matrix, [x + dx, y + dy]);
  };
  return { point: apply(matrix, [x, y]), before: control(parts[1]), after: control(parts[2]) };
}

/** Returns the points of a path. An open path is closed by a straight line. */
function ringOf(list: unknown[], closed: boolean, matrix: Matrix, maxCoordinates: number): Ring {
  const tooMany = () => new TooManyCoordinates(`More than ${MAX_COORDINATES} coordinates`);
  if (2 * list.length > maxCoordinates) throw tooMany();
  const ring: Ring = [];
  const [first] = list;
  if (first === undefined) return ring;
  const start = segmentOf(first, matrix);
  let segment = start;
  for (let i = 1; i <= list.length; i++) {
    const next = i < list.length ? segmentOf(list[i], matrix) : closed ? start : null;
    const { point, after } = segment;
    const points = next ? flattenCurve(point, after, next.before, next.point) : [point];
    for (const [x, y] of points) ring.push(x, y);
    if (ring.length > maxCoordinates) throw tooMany();
    if (next) segment = next;
  }
  return ring;
}
