import type { Ring } from "../../../../shared/entities/shape";
import { CASING, LINE } from "../shapes/paint";
import type { Box } from "../shapes/shapes";
import type { Transform } from "../shapes/trace";
import type { Point } from "../view/view";

/**
 * Marks shown while the points for DEXTR are being set, or while a box or loop is drawn to select shapes. Coordinates
 * in image pixels.
 */
export interface Guides {
  /** Points in the order of their numbers, which start at 1. */
  points: readonly Point[];
  /** Clicks that corrected an outline: those that added to it, and those that took from it. */
  corrections?: readonly Correction[];
  /** Box around the points and the pointer while points are being set. */
  box: Box | null;
  /** The same box with padding. */
  padded: Box | null;
  /** A loop drawn around shapes. */
  loop?: Ring;
  /** True if undo removes one of the points. */
  isUnfinished: boolean;
}

interface Correction extends Point {
  isAdded: boolean;
}

/** Sizes in CSS pixels. */
const SIZE = {
  sign: 3,
  correction: 5,
  dot: 3,
  ring: 4.5,
  number: 12,
  away: 13,
  line: 1,
  casing: 3,
  dash: [5, 4],
} as const;
const TURN = 2 * Math.PI;
/** Colours of corrections. A sign tells them apart too. */
const [ADDED, REMOVED] = ["#2b8a3e", "#c92a2a"];

/** Paints numbered dots, with the numbers outside the object, and the boxes. Sizes do not depend on the zoom. */
export function paintGuides(context: CanvasRenderingContext2D, guides: Guides, to: Transform, ratio: number): void {
  const { points, box, padded, loop } = guides;
  context.lineJoin = "miter";
  if (box) paintBox(context, box, to, ratio, []);
  if (padded) paintBox(context, padded, to, ratio, SIZE.dash);
  if (loop) paintLoop(context, loop, to, ratio);
  const places = points.map(({ x, y }) => ({ x: x * to.scale + to.x, y: y * to.scale + to.y }));
  const middle = middleOf(places);
  for (const place of places) paintDot(context, place, ratio);
  for (const { x, y, isAdded } of guides.corrections ?? [])
    paintCorrection(context, { x: x * to.scale + to.x, y: y * to.scale + to.y }, isAdded, ratio);
  for (const { at, numbers } of numbered(places, SIZE.ring * ratio))
    paintNumber(context, numbers.join(" "), outside(at, middle, SIZE.away * ratio), ratio);
}

/**
 * Groups overlapping dots, so that their numbers are painted side by side: a corner can be two extreme points at once.
 */
function numbered(places: readonly Point[], near: number): { at: Point; numbers: number[] }[] {
  const groups: { at: Point; numbers: number[] }[] = [];
  for (const [i, place] of places.entries()) {
    const group = groups.find(({ at }) => Math.hypot(at.x - place.x, at.y - place.y) < near);
    if (group) group.numbers.push(i + 1);
    else groups.push({ at: place, numbers: [i + 1] });
  }
  return groups;
}

/** Paints a box as a light line, solid or dashed, on a slightly wider dark one. */
function paintBox(
  context: CanvasRenderingContext2D,
  { minX, minY, maxX, maxY }: Box,
  { scale, x, y }: Transform,
  ratio: number,
  dash: readonly number[],
): void {
  // A line with an odd width in pixels is sharp only if it is centred on the middle of a pixel.
  const middle = (Math.round(SIZE.line * ratio) % 2) / 2;
  const left = Math.round(minX * scale + x) + middle;
  const top = Math.round(minY * scale + y) + middle;
  const width = Math.round((maxX - minX) * scale);
  const height = Math.round((maxY - minY) * scale);
  context.strokeStyle = CASING;
  context.globalAlpha = 0.6;
  context.lineWidth = SIZE.casing * ratio;
  context.strokeRect(left, top, width, height);
  context.globalAlpha = 1;
  context.strokeStyle = LINE;
  context.lineWidth = SIZE.line * ratio;
  context.setLineDash(dash.map((length) => length * ratio));
  context.strokeRect(left, top, width, height);
  context.setLineDash([]);
}

function paintLoop(context: CanvasRenderingContext2D, loop: Ring, { scale, x, y }: Transform, ratio: number): void {
  const path = new Path2D();
  for (let i = 0; i < loop.length; i += 2) path.lineTo(loop[i]! * scale + x, loop[i + 1]! * scale + y);
  path.closePath();
  context.fillStyle = "rgba(255, 255, 255, 0.12)";
  context.fill(path);
  context.strokeStyle = CASING;
  context.lineWidth = SIZE.casing * ratio;
  context.stroke(path);
  context.strokeStyle = LINE;
  context.lineWidth = SIZE.line * ratio;
  context.stroke(path);
}

function paintDot(context: CanvasRenderingContext2D, { x, y }: Point, ratio: number): void {
  for (const [radius, color] of [
    [SIZE.ring, "#0b1020"],
    [SIZE.dot, "#ffffff"],
  ] as const) {
    context.beginPath();
    context.arc(x, y, radius * ratio, 0, TURN);
    context.fillStyle = color;
    context.fill();
  }
}

/** Paints a dot with a plus or a minus. */
function paintCorrection(context: CanvasRenderingContext2D, { x, y }: Point, isAdded: boolean, ratio: number): void {
  const length = SIZE.sign * ratio;
  for (const [radius, color] of [
    [SIZE.correction + 1.5, "#ffffff"],
    [SIZE.correction, isAdded ? ADDED : REMOVED],
  ] as const) {
    context.beginPath();
    context.arc(x, y, radius * ratio, 0, TURN);
    context.fillStyle = color;
    context.fill();
  }
  context.beginPath();
  context.moveTo(x - length, y);
  context.lineTo(x + length, y);
  if (isAdded) {
    context.moveTo(x, y - length);
    context.lineTo(x, y + length);
  }
  context.strokeStyle = "#ffffff";
  context.lineWidth = 1.5 * ratio;
  context.stroke();
}

function paintNumber(context: CanvasRenderingContext2D, text: string, { x, y }: Point, ratio: number): void {
  context.font = `600 ${SIZE.number * ratio}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 3.5 * ratio;
  context.strokeStyle = "#0b1020";
  context.strokeText(text, x, y);
  context.fillStyle = "#ffffff";
  context.fillText(text, x, y);
}

function middleOf(places: readonly Point[]): Point {
  const sum = places.reduce((all, { x, y }) => ({ x: all.x + x, y: all.y + y }), { x: 0, y: 0 });
  return { x: sum.x / Math.max(places.length, 1), y: sum.y / Math.max(places.length, 1) };
}

/** Returns a position beside a point, away from the middle; to the upper right if the point is the middle. */
function outside({ x, y }: Point, middle: Point, away: number): Point {
  const length = Math.hypot(x - middle.x, y - middle.y);
  const [right, down] = length > 1 ? [(x - middle.x) / length, (y - middle.y) / length] : [Math.SQRT1_2, -Math.SQRT1_2];
  return { x: x + right * away, y: y + down * away };
}
