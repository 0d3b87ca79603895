import { type Brush, KEYPOINT_REACH_PX, paintShape } from "../shapes/paint";
import type { Box, Shape } from "../shapes/shapes";
import type { ViewState } from "../view/view";

/** A canvas layer with the view and brush that it was painted with. */
export interface Sheet {
  canvas: HTMLCanvasElement;
  context: CanvasRenderingContext2D;
  view: ViewState | null;
  brush: Brush | null;
}

/** Maximum distance that a painted shape extends beyond its box, in CSS pixels. */
const PAD = KEYPOINT_REACH_PX;

export function addSheet(parent: HTMLElement): Sheet {
  const canvas = document.createElement("canvas");
  canvas.className = "annotator-layer";
  parent.append(canvas);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser cannot paint on a canvas.");
  return { canvas, context, view: null, brush: null };
}

/** Clears a sheet and sets its size, in device pixels. */
export function clearSheet({ canvas, context }: Sheet, width: number, height: number, ratio: number): void {
  if (canvas.width === width && canvas.height === height) {
    context.clearRect(0, 0, width, height);
    return;
  }
  canvas.width = width;
  canvas.height = height;
  canvas.style.width = `${width / ratio}px`;
  canvas.style.height = `${height / ratio}px`;
}

/** Repaints a box (image pixels) with the sheet's brush. `shapes`: all shapes that overlap the box. */
export function paintBox({ context, brush }: Sheet, box: Box, shapes: readonly Shape[]): void {
  if (!brush) return;
  const { to, ratio } = brush;
  const pad = PAD * ratio;
  const left = Math.floor(box.minX * to.scale + to.x - pad);
  const top = Math.floor(box.minY * to.scale + to.y - pad);
  const width = Math.ceil(box.maxX * to.scale + to.x + pad) - left;
  const height = Math.ceil(box.maxY * to.scale + to.y + pad) - top;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.clearRect(left, top, width, height);
  context.lineJoin = "round";
  for (const shape of shapes) paintShape(context, shape, brush);
  context.restore();
}
