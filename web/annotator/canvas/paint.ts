import { SHAPE_OPACITY } from "../../../shared/constants";
import type { Ring } from "../../../shared/entities/shape";
import type { Shape } from "./shapes";

/** From image pixels to device pixels of a canvas: device = image x scale + (x, y). */
export interface Transform {
  scale: number;
  x: number;
  y: number;
}

/** Points nearer to the last one than this many device pixels are not seen, and are left out. */
const UNSEEN = 0.7;
const TURN = 2 * Math.PI;

/** Paints one shape: filled by the even-odd rule so that holes are holes, with a thin outline. `ratio`: device pixels per CSS pixel. */
export function paintShape(context: CanvasRenderingContext2D, shape: Shape, to: Transform, ratio: number): void {
  const { rings, color } = shape;
  if (rings.length > 0) {
    context.beginPath();
    for (const polygon of rings) for (const ring of polygon) trace(context, ring, to);
    context.globalAlpha = SHAPE_OPACITY;
    context.fillStyle = color;
    context.fill("evenodd");
    context.globalAlpha = 1;
    context.strokeStyle = color;
    context.lineWidth = 1.5 * ratio;
    context.stroke();
  }
  if (shape.dots.length > 0) paintKeypoints(context, shape, to, ratio);
}

function trace(context: CanvasRenderingContext2D, ring: Ring, { scale, x, y }: Transform): void {
  let lastX = Number.POSITIVE_INFINITY;
  let lastY = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const px = ring[i]! * scale + x;
    const py = ring[i + 1]! * scale + y;
    if (i === 0) context.moveTo(px, py);
    else if (Math.abs(px - lastX) + Math.abs(py - lastY) < UNSEEN) continue;
    else context.lineTo(px, py);
    lastX = px;
    lastY = py;
  }
  context.closePath();
}

function paintKeypoints(context: CanvasRenderingContext2D, shape: Shape, { scale, x, y }: Transform, ratio: number) {
  context.lineWidth = 2 * ratio;
  context.strokeStyle = shape.color;
  context.beginPath();
  for (const [a, b] of shape.lines) {
    context.moveTo(a.x * scale + x, a.y * scale + y);
    context.lineTo(b.x * scale + x, b.y * scale + y);
  }
  context.stroke();
  for (const dot of shape.dots) {
    context.beginPath();
    context.arc(dot.x * scale + x, dot.y * scale + y, 4 * ratio, 0, TURN);
    context.fillStyle = dot.filled ? dot.color : "#ffffff";
    context.fill();
    context.stroke();
  }
}

/** What painting a shape costs, about, in vertices. */
export function costOf(shape: Shape): number {
  let vertices = 20;
  for (const polygon of shape.rings) for (const ring of polygon) vertices += ring.length >> 1;
  return vertices;
}
