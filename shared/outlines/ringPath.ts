import { turned } from "../geometry/ring";
import { simplifyLine } from "../geometry/simplify";

/** Length of an image's longer side in the units of its outlines: two for each pixel of a thumbnail. */
export const OUTLINE_SIDE = 500;

/** Largest distance of an outline from the shape, in units. */
const TOLERANCE = 0.7;
/** Maximum number of points of a ring that are simplified, so that no ring takes long. */
const MAX_POINTS = 2_000;

/** Returns the number of units for a pixel of the image. */
export const outlineScale = (width: number, height: number): number => OUTLINE_SIDE / Math.max(width, height, 1);

/** A part of an SVG path, in units. */
export interface PathPart {
  text: string;
  points: number;
}

/**
 * Returns a ring as a part of a path. Holes run the other way round, so that the fill rule "nonzero" leaves them out. A
 * ring smaller than a unit is a point, which a round line end shows as a dot.
 */
export function ringPath(ring: readonly number[], scale: number, isHole = false): PathPart {
  const flat = turned(distinctPoints(simplified(inUnits(ring, scale))), !isHole);
  if (flat.length === 0) return { text: "", points: 0 };
  let text = `M${flat[0]} ${flat[1]}`;
  if (flat.length === 2) return { text: `${text}h0`, points: 1 };
  let letter = "l";
  for (let i = 2; i < flat.length; i += 2) {
    text += letter + signed(flat[i]! - flat[i - 2]!, letter === "") + signed(flat[i + 1]! - flat[i - 1]!, true);
    letter = "";
  }
  return { text: `${text}z`, points: flat.length / 2 };
}

/** Returns a point as a part of a path. */
export const dotPath = (x: number, y: number, scale: number): PathPart => ringPath([x, y], scale);

/** Returns the ring in units, not rounded: at most MAX_POINTS points, none in the same unit as the point before. */
function inUnits(ring: readonly number[], scale: number): number[] {
  const count = ring.length >> 1;
  const step = Math.max(1, count / MAX_POINTS);
  const flat: number[] = [];
  let last = "";
  for (let at = 0; at < count; at += step) {
    const i = 2 * Math.floor(at);
    const [x, y] = [unitOf(ring[i]!, scale), unitOf(ring[i + 1]!, scale)];
    const unit = `${Math.round(x)} ${Math.round(y)}`;
    if (unit === last) continue;
    last = unit;
    flat.push(x, y);
  }
  return flat;
}

/** Converts pixels to units. Moves coordinates that are far outside the image nearer. */
const unitOf = (pixels: number, scale: number): number =>
  Math.max(-OUTLINE_SIDE, Math.min(2 * OUTLINE_SIDE, pixels * scale));

/**
 * Simplifies a ring. Called before rounding, because the steps between rounded points are as large as the tolerance.
 */
const simplified = (flat: number[]): number[] =>
  flat.length > 6 ? simplifyLine([...flat, flat[0]!, flat[1]!], TOLERANCE).slice(0, -2) : flat;

/** Rounds the points to whole units, and leaves out those that are equal to the one before. */
function distinctPoints(exact: readonly number[]): number[] {
  const flat: number[] = [];
  for (let i = 0; i < exact.length; i += 2) {
    const [x, y] = [Math.round(exact[i]!) + 0, Math.round(exact[i + 1]!) + 0];
    if (x !== flat[flat.length - 2] || y !== flat[flat.length - 1]) flat.push(x, y);
  }
  while (flat.length > 2 && flat[0] === flat[flat.length - 2] && flat[1] === flat[flat.length - 1]) flat.length -= 2;
  return flat;
}

const signed = (value: number, needsBlank: boolean): string => (value < 0 || !needsBlank ? String(value) : ` ${value}`);
