import type { Size } from "../entities/image";
import type { Keypoint } from "../entities/keypoint";
import type { Bbox, Rle, Shape } from "../entities/shape";
import { runsOf, toRle } from "./rle";
import type { Runs } from "./runs";

/**
 * An EXIF orientation other than 1 (CIPA DC-008 §4.6.4, tag Orientation): 2 mirrored, 3 rotated by 180°, 4 flipped, 5
 * transposed, 6 rotated right, 7 transverse, 8 rotated left. The functions here convert coordinates on the stored image
 * to coordinates on the upright image.
 */
export type Turn = 2 | 3 | 4 | 5 | 6 | 7 | 8;

export const isTurn = (orientation: number): orientation is Turn => orientation >= 2 && orientation <= 8;

/** Returns true if width and height are swapped. */
export const swapsWidthAndHeight = (turn: Turn): boolean => turn >= 5;

/** Returns the size of the upright image from that of the stored one, or the other way round. */
export const turnSize = (turn: Turn, { width, height }: Size): Size =>
  swapsWidthAndHeight(turn) ? { width: height, height: width } : { width, height };

type Point = [x: number, y: number];

function turnPoint(turn: Turn, x: number, y: number, { width, height }: Size): Point {
  switch (turn) {
    case 2:
      return [width - x, y];
    case 3:
      return [width - x, height - y];
    case 4:
      return [x, height - y];
    case 5:
      return [y, x];
    case 6:
      return [height - y, x];
    case 7:
      return [height - y, width - x];
    case 8:
      return [y, width - x];
  }
}

export function turnBbox(turn: Turn, [x, y, width, height]: Bbox, stored: Size): Bbox {
  const [ax, ay] = turnPoint(turn, x, y, stored);
  const [bx, by] = turnPoint(turn, x + width, y + height, stored);
  return [
    Math.min(ax, bx),
    Math.min(ay, by),
    ...(swapsWidthAndHeight(turn) ? [height, width] : [width, height]),
  ] as Bbox;
}

export function turnKeypoints(turn: Turn, points: readonly Keypoint[], stored: Size): Keypoint[] {
  return points.map((point) => {
    const [x, y] = turnPoint(turn, point.x, point.y, stored);
    return { ...point, x, y };
  });
}

/** Turns flat triples x, y, visibility; unset ones ("0 0 0") stay unset. */
export function turnTriples(turn: Turn, flat: readonly number[], stored: Size): number[] {
  const turned: number[] = [];
  for (let i = 0; i + 2 < flat.length; i += 3) {
    const [x, y, v] = [flat[i]!, flat[i + 1]!, flat[i + 2]!];
    const isUnset = x === 0 && y === 0 && v === 0;
    turned.push(...(isUnset ? [0, 0] : turnPoint(turn, x, y, stored)), v);
  }
  return turned;
}

/** Turns polygons point by point and an RLE pixel by pixel (see `turnRle`). Throws an RleError. */
export function turnShape(turn: Turn, shape: Shape, stored: Size): Shape {
  if (shape === null) return null;
  if (Array.isArray(shape)) return shape.map((ring) => turnRing(turn, ring, stored));
  if ("rings" in shape) return { rings: shape.rings.map((rings) => rings.map((ring) => turnRing(turn, ring, stored))) };
  return turnRle(turn, shape, stored);
}

function turnRing(turn: Turn, ring: readonly number[], stored: Size): number[] {
  const turned: number[] = [];
  for (let i = 0; i + 1 < ring.length; i += 2) turned.push(...turnPoint(turn, ring[i]!, ring[i + 1]!, stored));
  return turned;
}

/** Turns a mask and returns it in the same form. Takes several seconds for the largest images. Throws an RleError. */
export function turnRle(turn: Turn, rle: Rle, stored: Size): Rle {
  const { width, height } = stored;
  const mask = new Uint8Array(width * height);
  let at = 0;
  runsOf(rle).forEach((length, i) => {
    if (i % 2 === 1) fillTurned(mask, turn, at, at + length, stored);
    at += length;
  });
  const { height: shownHeight, width: shownWidth } = turnSize(turn, stored);
  return toRle(runsOfMask(mask), shownHeight, shownWidth, typeof rle.counts === "string");
}

/** Sets pixels [from, to) of the stored image, counted column by column, at their places in the turned one. */
function fillTurned(mask: Uint8Array, turn: Turn, from: number, to: number, stored: Size): void {
  const { height } = stored;
  const shownHeight = turnSize(turn, stored).height;
  const placeOf = (column: number, row: number) => {
    const [x, y] = turnPoint(turn, column + 0.5, row + 0.5, stored);
    return Math.floor(x) * shownHeight + Math.floor(y);
  };
  // The pixels of a column are at equal distances in the turned mask.
  const step = placeOf(0, 1) - placeOf(0, 0);
  for (let p = from; p < to; ) {
    const column = Math.floor(p / height);
    const end = Math.min(to, (column + 1) * height);
    for (let place = placeOf(column, p % height); p < end; p++, place += step) mask[place] = 1;
  }
}

function runsOfMask(mask: Uint8Array): Runs {
  const runs: Runs = [];
  let value = 0;
  let start = 0;
  for (let p = 0; p <= mask.length; p++) {
    if (p < mask.length && mask[p] === value) continue;
    runs.push(p - start);
    start = p;
    value = 1 - value;
  }
  return runs;
}
