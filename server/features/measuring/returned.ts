import type { Json, Metadata } from "../../../shared/entities/scalars";
import type { Ring, Rings } from "../../../shared/entities/shape";
import { pathsOfPaperJson, toPaperJson } from "../../../shared/geometry/paperJson";
import { simplifyLine } from "../../../shared/geometry/simplify";

/**
 * Recognizes values that the original Vue client returns although its user changed nothing. With each save it
 * simplifies every outline (simplify-js: Douglas and Peucker, 1973), rounds keypoints, and reads metadata from text
 * fields.
 */

/** The client's simplification tolerance, in image pixels. */
const TOLERANCE = 1;
/** Largest distance of a returned coordinate from the sent one, in image pixels. */
const CLOSE = 0.15;
/** Maximum number of points of an outline that is simplified as the client does it, which may take quadratic time. */
export const MAX_SIMPLIFIED_POINTS = 4_000;

interface Size {
  width: number;
  height: number;
}

/**
 * Returns true if `paths`, as read by pathsOfPaperJson, are the rings of `sent`, unchanged or as the client simplifies
 * them.
 */
export function isReturnedShape(paths: readonly Ring[], sent: Rings, { width, height }: Size): boolean {
  const wanted = pathsOfPaperJson(toPaperJson(sent, width, height, { color: "#000000" }), width, height);
  let next = 0;
  for (const ring of wanted) {
    const path = paths[next];
    if (path && isReturnedRing(path, ring)) next += 1;
    // The client drops an outline whose points are all the same.
    else if (withoutRepeats(ring).length > 2) return false;
  }
  return next === paths.length;
}

function isReturnedRing(path: Ring, sent: Ring): boolean {
  const bare = withoutRepeats(sent);
  if (areClose(path, sent) || isThinned(path, bare)) return true;
  return (
    sent.length <= 2 * MAX_SIMPLIFIED_POINTS &&
    [sent, bare].some((ring) => areClose(path, simplifyLine(ring, TOLERANCE)))
  );
}

function areClose(a: Ring, b: Ring): boolean {
  return a.length === b.length && a.every((value, i) => Math.abs(value - b[i]!) <= CLOSE);
}

/** Removes points that equal the previous one, and last points that equal the first. */
function withoutRepeats(ring: Ring): Ring {
  const out: Ring = [];
  const isNew = (x: number, y: number, at: number) => out[at] !== x || out[at + 1] !== y;
  for (let i = 0; i + 1 < ring.length; i += 2)
    if (isNew(ring[i]!, ring[i + 1]!, out.length - 2)) out.push(ring[i]!, ring[i + 1]!);
  while (out.length > 2 && !isNew(out.at(-2)!, out.at(-1)!, 0)) out.length -= 2;
  return out;
}

/**
 * Returns true if `path` consists of points of `ring` in order, starting with the first, and every omitted point is
 * within the tolerance of the line that replaces it. Takes linear time, so it works for outlines of any length.
 */
function isThinned(path: Ring, ring: Ring): boolean {
  const isAt = (i: number, k: number) =>
    Math.abs(ring[i]! - path[k]!) <= CLOSE && Math.abs(ring[i + 1]! - path[k + 1]!) <= CLOSE;
  if (path.length < 2 || ring.length < 2 || !isAt(0, 0)) return false;
  let at = 0;
  for (let k = 2; k <= path.length; k += 2) {
    const [from, isLast] = [at, k === path.length];
    at += 2;
    while (at < ring.length && (isLast || !isAt(at, k))) at += 2;
    if (!isLast && at >= ring.length) return false;
    const end = isLast ? 0 : at;
    for (let i = from + 2; i < at; i += 2) if (distance(ring, i, from, end) > TOLERANCE + CLOSE) return false;
  }
  return true;
}

/** Returns the distance of a point of the ring from the segment between two others. Arguments are indices. */
function distance(ring: Ring, point: number, from: number, to: number): number {
  const [x, y, fromX, fromY] = [ring[point]!, ring[point + 1]!, ring[from]!, ring[from + 1]!];
  const [dx, dy] = [ring[to]! - fromX, ring[to + 1]! - fromY];
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - fromX) * dx + (y - fromY) * dy) / square));
  return Math.hypot(x - fromX - t * dx, y - fromY - t * dy);
}

/**
 * Returns true if a keypoint [x, y, v] is unchanged, though the client rounds coordinates and sets the visibility of
 * every point that is not at the origin.
 */
export function isReturnedTriple(got: readonly number[], sent: readonly number[]): boolean {
  const isCoordinate = (i: number) => got[i] === sent[i] || got[i] === Math.round(sent[i]!);
  const isSet = sent[0] !== 0 || sent[1] !== 0;
  return isCoordinate(0) && isCoordinate(1) && (got[2] === sent[2] || (sent[2] === 0 && isSet && got[2]! <= 2));
}

/** Returns true if a metadata value is unchanged, though the client reads it from text as a whole number or boolean. */
export function isReturnedValue(got: Json | undefined, sent: Json | undefined): boolean {
  return JSON.stringify(got ?? null) === JSON.stringify(readAsText(sent) ?? null);
}

function readAsText(value: Json | undefined): Json {
  const text = value === null || value === undefined ? "" : String(value);
  if (!Number.isNaN(Number(text))) {
    const whole = Number.parseInt(text, 10);
    return Number.isNaN(whole) ? null : whole;
  }
  const lower = text.toLowerCase();
  return lower === "true" || lower === "false" ? lower === "true" : text;
}

/**
 * Returns true if the client drops this entry by itself: an entry with an empty key, or a name that is empty or not
 * text.
 */
export const isDroppedEntry = (key: string, metadata: Metadata): boolean =>
  key === "" || (key === "name" && (typeof metadata[key] !== "string" || metadata[key] === ""));
