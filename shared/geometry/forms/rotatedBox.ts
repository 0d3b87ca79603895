import type { Bbox, Ring, Rings } from "../../entities/shape";
import { isRectangle } from "../polygons";

/**
 * Rotated boxes: rectangles with sides that are not horizontal and vertical, stored as polygons of four points. Whether
 * a polygon is a rotated box follows from its points alone, so it stays one until an edit changes its form.
 */

/** Largest difference in image pixels that the rounding of stored coordinates may cause. */
const SLACK = 0.05;
/** Rotations that are within this many degrees of a right angle become upright. */
const UPRIGHT = 0.05;

interface Xy {
  x: number;
  y: number;
}

/** Returns the four corners of a rotated box; null for any other shape, including an upright box. */
export function rotatedBoxOf(rings: Rings): Ring | null {
  const [polygon, ...others] = rings;
  const [ring, ...holes] = polygon ?? [];
  if (others.length > 0 || holes.length > 0 || ring?.length !== 8 || isRectangle(rings)) return null;
  const [x0, y0, x1, y1, x2, y2, x3, y3] = ring as [number, number, number, number, number, number, number, number];
  const isParallelogram = Math.hypot(x0 + x2 - x1 - x3, y0 + y2 - y1 - y3) <= 2 * SLACK;
  const diagonals = Math.abs(Math.hypot(x2 - x0, y2 - y0) - Math.hypot(x3 - x1, y3 - y1));
  return isParallelogram && diagonals <= SLACK ? ring : null;
}

/** Returns the corners of a box, upright (`isbbox`) or rotated; null for any other shape. */
export function turnableBox(rings: Rings, isbbox: boolean): Ring | null {
  return isbbox && isRectangle(rings) ? rings[0]![0]! : rotatedBoxOf(rings);
}

/** Returns the rectangle with one side from `a` to `b` and the opposite side through a third point. */
export function boxOnSide(a: Xy, b: Xy, through: Xy): Ring {
  const [ux, uy] = unit(b.x - a.x, b.y - a.y);
  const height = ux * (through.y - a.y) - uy * (through.x - a.x);
  const [hx, hy] = [-uy * height, ux * height];
  return [a.x, a.y, b.x, b.y, b.x + hx, b.y + hy, a.x + hx, a.y + hy].map(rounded);
}

/** Moves corner 0 to 3 of a rectangle. The opposite corner and the directions of the sides stay. */
export function moveCorner(ring: Ring, corner: number, to: Xy): Ring {
  const fixed = cornerOf(ring, corner + 2);
  const before = cornerOf(ring, corner - 1);
  const [ux, uy] = unit(before.x - fixed.x, before.y - fixed.y);
  const along = ux * (to.x - fixed.x) + uy * (to.y - fixed.y);
  const beside = { x: fixed.x + along * ux, y: fixed.y + along * uy };
  const after = { x: fixed.x + to.x - beside.x, y: fixed.y + to.y - beside.y };
  return placed([corner, to], [corner + 2, fixed], [corner - 1, beside], [corner + 1, after]);
}

/** Moves a side of a rectangle, named by its first corner, so that it runs through a point. The opposite side stays. */
export function moveSide(ring: Ring, side: number, to: Xy): Ring {
  const [a, b] = [cornerOf(ring, side), cornerOf(ring, side + 1)];
  const [ux, uy] = unit(b.x - a.x, b.y - a.y);
  const height = ux * (to.y - a.y) - uy * (to.x - a.x);
  const moved = ({ x, y }: Xy): Xy => ({ x: x - uy * height, y: y + ux * height });
  const kept = (corner: number): [number, Xy] => [corner, cornerOf(ring, corner)];
  return placed([side, moved(a)], [side + 1, moved(b)], kept(side + 2), kept(side + 3));
}

/** Returns how far the first side of a rectangle is rotated from the horizontal: degrees clockwise, 0 to 360. */
export function rotationOf(ring: Ring): number {
  const degrees = (Math.atan2(ring[3]! - ring[1]!, ring[2]! - ring[0]!) * 180) / Math.PI;
  return (degrees + 360) % 360;
}

/** A rectangle before its rotation: its box in image pixels, and its rotation about the middle in degrees clockwise. */
export interface Unrotated {
  box: Bbox;
  degrees: number;
}

/** Returns a rectangle before its rotation, exact to a hundredth of a pixel: the corners are stored to a thousandth. */
export function unrotated(ring: Ring): Unrotated {
  const { x, y } = middleOf(ring);
  const [width, height] = [0, 1].map((side) => {
    const [a, b] = [cornerOf(ring, side), cornerOf(ring, side + 1)];
    return hundredth(Math.hypot(b.x - a.x, b.y - a.y));
  }) as [number, number];
  return { box: [hundredth(x - width / 2), hundredth(y - height / 2), width, height], degrees: rotationOf(ring) };
}

/** Returns the corners of a box that is rotated about its middle. */
export function rotatedRing({ box: [x, y, width, height], degrees }: Unrotated): Ring {
  return rotateBox([x, y, x + width, y, x + width, y + height, x, y + height], degrees % 360);
}

/**
 * Rotates a rectangle about its middle by degrees clockwise. Snaps to a right angle within 0.05 degrees, so that an
 * upright result is exactly upright.
 */
export function rotateBox(ring: Ring, degrees: number): Ring {
  const after = rotationOf(ring) + degrees;
  const rightAngle = Math.round(after / 90) * 90;
  const isUpright = Math.abs(after - rightAngle) <= UPRIGHT;
  return isUpright ? upright(turned(ring, degrees + rightAngle - after)) : turned(ring, degrees);
}

function turned(ring: Ring, degrees: number): Ring {
  const middle = middleOf(ring);
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [0, 1, 2, 3].flatMap((corner) => {
    const { x, y } = cornerOf(ring, corner);
    const [dx, dy] = [x - middle.x, y - middle.y];
    return [middle.x + cos * dx - sin * dy, middle.y + sin * dx + cos * dy].map(rounded);
  });
}

export function middleOf(ring: Ring): Xy {
  const [a, c] = [cornerOf(ring, 0), cornerOf(ring, 2)];
  return { x: (a.x + c.x) / 2, y: (a.y + c.y) / 2 };
}

/**
 * Returns the ends of the rotation handle: the middle of the side that faces upward most, and a point outside the
 * rectangle at this distance from it.
 */
export function handleOf(ring: Ring, distance: number): { from: Xy; to: Xy } {
  const middle = middleOf(ring);
  const sides = [0, 1, 2, 3].map((side) => {
    const [a, b] = [cornerOf(ring, side), cornerOf(ring, side + 1)];
    const from = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    const [ux, uy] = unit(from.x - middle.x, from.y - middle.y);
    return { from, to: { x: from.x + distance * ux, y: from.y + distance * uy }, up: -uy };
  });
  return sides.reduce((best, side) => (side.up > best.up ? side : best));
}

function upright(ring: Ring): Ring {
  // Rotating rounds to a thousandth of a pixel; rounding to a hundredth restores the coordinates from before.
  const whole = (i: number) => hundredth(ring[i]!);
  const xs = [0, 2, 4, 6].map(whole);
  const ys = [1, 3, 5, 7].map(whole);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return [left, top, right, top, right, bottom, left, bottom];
}

function cornerOf(ring: Ring, corner: number): Xy {
  const at = 2 * ((corner + 4) % 4);
  return { x: ring[at]!, y: ring[at + 1]! };
}

function placed(...corners: [corner: number, at: Xy][]): Ring {
  const ring: Ring = new Array(8).fill(0);
  for (const [corner, { x, y }] of corners) {
    ring[2 * ((corner + 4) % 4)] = rounded(x);
    ring[2 * ((corner + 4) % 4) + 1] = rounded(y);
  }
  return ring;
}

function unit(x: number, y: number): [number, number] {
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}

const hundredth = (value: number): number => Math.round(value * 100) / 100;

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
