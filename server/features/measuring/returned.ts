import type { Json, Metadata } from "../../../shared/entities/scalars";
import type { Ring, Rings } from "../../../shared/entities/shape";
import { pathsOfPaperJson, toPaperJson } from "../../../shared/geometry/paperJson";
import { simplifyLine } from "../../../shared/geometry/simplify";

/**
 * Recognises what the original Vue client returns unchanged when its user touches nothing: it simplifies every outline
 * with each save (simplify-js: Douglas and Peucker, 1973), rounds keypoints, and reads metadata as text.
 */

/** Image pixels. The client's own tolerance, and how far a returned coordinate may be from the sent one. */
const TOLERANCE = 1;
const CLOSE = 0.15;
/** Points up to which an outline is simplified as the client does it: the method may take their square. */
export const MOST_POINTS = 4_000;

interface Size {
  width: number;
  height: number;
}

/** True if outlines are those of `sent`, or what the client makes of them. `paths` as pathsOfPaperJson reads them. */
export function isReturnedShape(paths: readonly Ring[], sent: Rings, { width, height }: Size): boolean {
  const wanted = pathsOfPaperJson(toPaperJson(sent, width, height, { color: "#000000" }), width, height);
  let next = 0;
  for (const ring of wanted) {
    const path = paths[next];
    if (path && isReturnedRing(path, ring)) next += 1;
    // An outline without an extent comes to nothing there.
    else if (withoutRepeats(ring).length > 2) return false;
  }
  return next === paths.length;
}

function isReturnedRing(path: Ring, sent: Ring): boolean {
  const bare = withoutRepeats(sent);
  if (areClose(path, sent) || isThinned(path, bare)) return true;
  return sent.length <= 2 * MOST_POINTS && [sent, bare].some((ring) => areClose(path, simplifyLine(ring, TOLERANCE)));
}

function areClose(a: Ring, b: Ring): boolean {
  return a.length === b.length && a.every((value, i) => Math.abs(value - b[i]!) <= CLOSE);
}

/** Points that equal the one before are dropped, the last where it equals the first. */
function withoutRepeats(ring: Ring): Ring {
  const out: Ring = [];
  const isNew = (x: number, y: number, at: number) => out[at] !== x || out[at + 1] !== y;
  for (let i = 0; i + 1 < ring.length; i += 2)
    if (isNew(ring[i]!, ring[i + 1]!, out.length - 2)) out.push(ring[i]!, ring[i + 1]!);
  while (out.length > 2 && !isNew(out.at(-2)!, out.at(-1)!, 0)) out.length -= 2;
  return out;
}

/**
 * True if `path` has points of `ring` in their order, from the first on, and no point left out lies farther from the line
 * in its place than the tolerance: in linear time, for outlines of any length.
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

function distance(ring: Ring, point: number, from: number, to: number): number {
  const [x, y, fromX, fromY] = [ring[point]!, ring[point + 1]!, ring[from]!, ring[from + 1]!];
  const [dx, dy] = [ring[to]! - fromX, ring[to + 1]! - fromY];
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - fromX) * dx + (y - fromY) * dy) / square));
  return Math.hypot(x - fromX - t * dx, y - fromY - t * dy);
}

/** True if one keypoint [x, y, v] is returned as it was sent: coordinates are rounded, and none is kept unlabeled. */
export function isReturnedTriple(got: readonly number[], sent: readonly number[]): boolean {
  const isCoordinate = (i: number) => got[i] === sent[i] || got[i] === Math.round(sent[i]!);
  const isSet = sent[0] !== 0 || sent[1] !== 0;
  return isCoordinate(0) && isCoordinate(1) && (got[2] === sent[2] || (sent[2] === 0 && isSet && got[2]! <= 2));
}

/** True if a metadata value is returned as it was sent: as the text in a field, read as a whole number or a truth. */
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

/** True if the client loses an entry without its user: a nameless one, and a name that is no text. */
export const isDroppedEntry = (key: string, metadata: Metadata): boolean =>
  key === "" || (key === "name" && (typeof metadata[key] !== "string" || metadata[key] === ""));
