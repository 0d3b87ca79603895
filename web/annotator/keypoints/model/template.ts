import type { Keypoint } from "../../../../shared/entities/keypoint";
import type { Rings } from "../../../../shared/entities/shape";
import { ringsBounds } from "../../../../shared/geometry/polygons";
import type { Point } from "../../canvas/view/view";

/** A rectangle in image pixels. */
export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A complete skeleton to copy: its points by label, and the box of its shape, or of its points if it has no shape. */
export interface Example {
  points: ReadonlyMap<number, Point>;
  frame: Frame;
}

export interface TemplateOptions {
  /** Ids of the labels to place, in order. */
  labels: readonly number[];
  /** Keypoints that are already placed. */
  placed: readonly Keypoint[];
  example: Example | null;
  /** Box of the annotation's shape; null if it has none. */
  shape: Frame | null;
  /** The visible part of the image. */
  view: Frame;
}

/** Maximum fraction of the view that a template covers if there is no shape to fit it to. */
const SHARE_OF_VIEW = 0.6;

/**
 * Returns positions for labels, in image pixels. The example is fitted to the points that are already placed, otherwise
 * to the shape's box; otherwise it keeps its size in the middle of the view. Without an example, the points form an
 * ellipse.
 */
export function template({ labels, placed, example, shape, view }: TemplateOptions): Map<number, Point> {
  if (!example) return ellipse(labels, shape ?? middleOf(view));
  const map = ontoPlaced(placed, example) ?? intoFrame(example.frame, shape ?? inView(example.frame, view));
  return new Map(
    labels.flatMap((label) => {
      const point = example.points.get(label);
      return point ? [[label, map(point)] as const] : [];
    }),
  );
}

type Mapping = (point: Point) => Point;

/**
 * Returns the mapping that scales and moves the example onto the placed points by least squares, without rotation; null
 * if they have no label in common.
 */
function ontoPlaced(placed: readonly Keypoint[], { points }: Example): Mapping | null {
  const pairs = placed.flatMap((to) => {
    const from = points.get(to.label);
    return from ? [{ from, to }] : [];
  });
  if (pairs.length === 0) return null;
  const from = meanOf(pairs.map((pair) => pair.from));
  const to = meanOf(pairs.map((pair) => pair.to));
  let along = 0;
  let spread = 0;
  for (const pair of pairs) {
    const [dx, dy] = [pair.from.x - from.x, pair.from.y - from.y];
    along += dx * (pair.to.x - to.x) + dy * (pair.to.y - to.y);
    spread += dx * dx + dy * dy;
  }
  const scale = spread > 0 && along > 0 ? along / spread : 1;
  return ({ x, y }) => ({ x: to.x + (x - from.x) * scale, y: to.y + (y - from.y) * scale });
}

function intoFrame(from: Frame, to: Frame): Mapping {
  const scaleX = from.width > 0 ? to.width / from.width : 0;
  const scaleY = from.height > 0 ? to.height / from.height : 0;
  const middle = centreOf(to);
  const start = centreOf(from);
  return ({ x, y }) => ({ x: middle.x + (x - start.x) * scaleX, y: middle.y + (y - start.y) * scaleY });
}

/** Centres a frame in the view, in its original size or as large as the view allows. */
function inView({ width, height }: Frame, view: Frame): Frame {
  const room = SHARE_OF_VIEW * Math.min(view.width / Math.max(width, 1), view.height / Math.max(height, 1));
  const scale = Math.min(1, room);
  return around(centreOf(view), width * scale, height * scale);
}

function middleOf(view: Frame): Frame {
  const side = SHARE_OF_VIEW * Math.min(view.width, view.height);
  return around(centreOf(view), side, side);
}

/** Places labels on an ellipse, clockwise from the top. A single label goes in the middle. */
function ellipse(labels: readonly number[], frame: Frame): Map<number, Point> {
  const { x, y } = centreOf(frame);
  if (labels.length === 1) return new Map([[labels[0]!, { x, y }]]);
  const points = labels.map((label, index) => {
    const angle = (2 * Math.PI * index) / labels.length;
    const at = { x: x + (frame.width / 2) * Math.sin(angle), y: y - (frame.height / 2) * Math.cos(angle) };
    return [label, at] as const;
  });
  return new Map(points);
}

/** Returns the box of a shape; null if it has no extent. */
export function boxOfRings(rings: Rings): Frame | null {
  const [x, y, width, height] = ringsBounds(rings);
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** Returns the smallest frame around points. */
export function frameOf(points: readonly Point[]): Frame {
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

const centreOf = ({ x, y, width, height }: Frame): Point => ({ x: x + width / 2, y: y + height / 2 });

const around = ({ x, y }: Point, width: number, height: number): Frame => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
});

function meanOf(points: readonly Point[]): Point {
  const sum = points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }));
  return { x: sum.x / points.length, y: sum.y / points.length };
}
