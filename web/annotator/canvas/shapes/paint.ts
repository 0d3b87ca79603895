import { darken } from "../../../../shared/color/darken";
import { KEYPOINT } from "../../../../shared/constants";
import { isOnlyLines, lineOf } from "../../../../shared/geometry/lines/line";
import { fillingOf, type PaintedRings } from "./filling";
import type { Dot, Shape } from "./shapes";
import { type Transform, traceRing } from "./trace";

/** Settings for painting shapes on a canvas. */
export interface Brush {
  /** Transform from image to canvas. */
  to: Transform;
  /** Device pixels per CSS pixel. */
  ratio: number;
  /** Opacity of fills, 0 to 1. */
  opacity: number;
  /** Width of outlines in device pixels. Widths up to 1 paint four times as fast as wider ones. */
  line: number;
}

/** Width of outlines in CSS pixels, unless there are thousands. */
export const LINE_PX = 1.5;
/** Colours of a line and its casing. White on dark is visible on any image, whatever the shape's colour. */
export const LINE = "#ffffff";
export const CASING = "rgba(8, 12, 24, 0.7)";
/** Width of the casing of a resting outline, as a multiple of the outline's. */
const RESTING_CASING = 2.2;
/** Width of a line at rest, as a multiple of an outline's: it has no fill that would show where it is. */
const RESTING_LINE = 1.7;
/** Width of outlines in device pixels where there are thousands. */
export const HAIRLINE = 1;

/** The parts of a shape that are painted, in image pixels. In the worker, rings are typed arrays. */
export interface Painted extends Pick<Shape, "color" | "dots" | "lines" | "isMarked" | "isLocked"> {
  rings: PaintedRings;
}

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const TURN = 2 * Math.PI;

/** Keypoints and the edges between them, in the colour of their annotation. */
export type Skeleton = Pick<Shape, "color" | "dots" | "lines">;

/** Highlighted keypoints, by label id. */
export interface KeypointMarks {
  selected?: number | null;
  hovered?: number | null;
  /** True to paint edges with a light casing, which is visible on any image. */
  isBright?: boolean;
}

/** Radius of a painted keypoint with its outline, in CSS pixels. */
export const KEYPOINT_REACH_PX = KEYPOINT.radius + KEYPOINT.line;

const NO_MARKS: KeypointMarks = {};
const BRIGHT: KeypointMarks = { isBright: true };
/** Dashes and gaps of the outline of a locked shape, in CSS pixels. */
export const DASH_PX: readonly number[] = [5, 4];
/** A line along an outline. Widths in CSS pixels. */
export interface OutlineLine {
  color: string;
  width: number;
}

/**
 * Returns the lines of the outline of a selected or hovered shape, the widest first. A shape without a fill, such as a
 * line, has its colour in the middle: otherwise nothing would show its category.
 */
export function highlightLines({ rings, color }: Pick<Painted, "rings" | "color">, opacity: number): OutlineLine[] {
  if (opacity > 0 && !isOnlyLines(rings))
    return [
      { color: CASING, width: 5 },
      { color: LINE, width: 2 },
    ];
  return [
    { color: CASING, width: 6.5 },
    { color: LINE, width: 4.5 },
    { color, width: 2 },
  ];
}

/**
 * Paints one shape, filled and with a thin outline in a casing, which is dashed if the shape is locked, and its
 * keypoints. A marked shape has a light outline, and is filled like the others: with a heavier fill, selecting all
 * would hide the image.
 */
export function paintShape(context: Context, shape: Painted, { to, ratio, opacity, line }: Brush): void {
  const { rings, color, isMarked = false, isLocked = false } = shape;
  if (rings.length > 0) {
    const rule = traceRings(context, rings, to);
    if (opacity > 0) {
      context.globalAlpha = opacity;
      context.fillStyle = color;
      context.fill(rule);
      context.globalAlpha = 1;
    }
    const isDashed = isLocked && line > HAIRLINE;
    const width = line > HAIRLINE && isOnlyLines(rings) ? line * RESTING_LINE : line;
    const lines = isMarked ? markedLines(shape, { ratio, opacity, line }) : restingLines(color, width);
    for (const wider of lines.slice(0, -1)) strokeLine(context, wider.color, wider.width);
    if (isDashed) context.setLineDash(DASH_PX.map((length) => length * ratio));
    // The ring of a line goes there and back, so the way back would fill the gaps between dashes.
    if (isDashed && rings.length === 1) traceOnce(context, rings, to);
    for (const last of lines.slice(-1)) strokeLine(context, last.color, last.width);
    if (isDashed) context.setLineDash([]);
  }
  if (shape.dots.length > 0) paintKeypoints(context, shape, to, ratio, isMarked ? BRIGHT : NO_MARKS);
}

/**
 * Returns the lines of the outline of a shape that is neither selected nor hovered, with widths in device pixels. The
 * casing sets it off against a part of the image in its own colour, or in one that a colour-blind user cannot tell from
 * it. Hairlines have none, which would hide small shapes.
 */
export function restingLines(color: string, line: number): OutlineLine[] {
  if (line <= HAIRLINE) return [{ color, width: line }];
  return [
    { color: CASING, width: line * RESTING_CASING },
    { color, width: line },
  ];
}

/** Returns the lines of the outline of a marked shape, with widths in device pixels. */
function markedLines(
  shape: Painted,
  { ratio, opacity, line }: Pick<Brush, "ratio" | "opacity" | "line">,
): OutlineLine[] {
  if (line <= HAIRLINE) return [{ color: LINE, width: line }];
  return highlightLines(shape, opacity).map(({ color, width }) => ({ color, width: width * ratio }));
}

function strokeLine(context: Context, style: string, width: number): void {
  context.strokeStyle = style;
  context.lineWidth = width;
  context.stroke();
}

/** Begins a path along all rings. Returns the rule that fills it. */
export function traceRings(context: Context, polygons: PaintedRings, to: Transform): CanvasFillRule {
  const { rings, rule } = fillingOf(polygons);
  context.beginPath();
  for (const ring of rings) traceRing(context, ring, to);
  return rule;
}

/** Begins a path along a line, without its way back; leaves the path as it is for any other shape. */
function traceOnce(context: Context, [polygon = []]: PaintedRings, to: Transform): void {
  const line = polygon.length === 1 ? lineOf(polygon[0]!) : null;
  if (!line) return;
  context.beginPath();
  traceRing(context, line, to, false);
}

/**
 * Paints edges and, above them, keypoints. Sizes do not depend on the zoom. `ratio`: device pixels per CSS pixel.
 */
export function paintKeypoints(
  context: Context,
  { dots, lines, color }: Skeleton,
  to: Transform,
  ratio: number,
  marks = NO_MARKS,
): void {
  const dark = darken(color);
  if (marks.isBright)
    paintEdges(context, lines, to, { color: "rgb(255 255 255 / 75%)", width: (KEYPOINT.line + 3) * ratio });
  paintEdges(context, lines, to, { color: dark, width: KEYPOINT.line * ratio });
  for (const dot of dots) paintDot(context, dot, to, { dark, ratio, marks });
}

function paintEdges(
  context: Context,
  lines: Shape["lines"],
  { scale, x, y }: Transform,
  { color, width }: { color: string; width: number },
): void {
  context.lineWidth = width;
  context.strokeStyle = color;
  context.beginPath();
  for (const [a, b] of lines) {
    context.moveTo(a.x * scale + x, a.y * scale + y);
    context.lineTo(b.x * scale + x, b.y * scale + y);
  }
  context.stroke();
}

interface Look {
  dark: string;
  ratio: number;
  marks: KeypointMarks;
}

/**
 * Paints a keypoint: hollow if it is labelled but not visible, with a double ring if selected, larger if hovered.
 */
function paintDot(context: Context, dot: Dot, to: Transform, { dark, ratio, marks }: Look): void {
  const x = dot.x * to.scale + to.x;
  const y = dot.y * to.scale + to.y;
  const isSelected = dot.label === marks.selected;
  const radius = (KEYPOINT.radius + (dot.label === marks.hovered ? 1.5 : 0)) * ratio;
  if (isSelected) {
    disc(context, x, y, radius + 5 * ratio, "#0b1020");
    disc(context, x, y, radius + 3.5 * ratio, "#ffffff");
  }
  disc(context, x, y, radius, dot.filled ? dot.color : "#ffffff");
  context.stroke();
  if (dot.filled || !isSelected) return;
  disc(context, x, y, radius / 3, dark);
}

function disc(context: Context, x: number, y: number, radius: number, fill: string): void {
  context.beginPath();
  context.arc(x, y, radius, 0, TURN);
  context.fillStyle = fill;
  context.fill();
}
