import { highlightLines, traceRings } from "../shapes/paint";
import type { Transform } from "../shapes/trace";
import { sameView, type ViewState } from "../view/view";
import { type ActiveShape, fillOf } from "./activeLayer";

/** Position and appearance of the selected shape on a canvas. */
export interface SelectedLook {
  shape: ActiveShape | null;
  view: ViewState;
  /** Opacity of the fill, 0 to 1. */
  opacity: number;
  /** Device pixels per CSS pixel. */
  ratio: number;
}

/**
 * The selected shape without unfinished pieces, on a canvas that is never shown. It is painted once and copied beneath
 * the pieces in every frame.
 */
export class SelectedBitmap {
  private readonly canvas = document.createElement("canvas");
  private painted: SelectedLook | null = null;

  /** Returns the bitmap, in the size of `like`; paints it only if something has changed. */
  of(look: SelectedLook, like: HTMLCanvasElement): HTMLCanvasElement {
    const { canvas } = this;
    const fits = canvas.width === like.width && canvas.height === like.height;
    if (fits && this.painted && same(this.painted, look)) return canvas;
    canvas.width = like.width;
    canvas.height = like.height;
    this.painted = look;
    const context = canvas.getContext("2d");
    if (context && look.shape) paintSelected(context, look.shape, look);
    return canvas;
  }
}

/** Returns the transform from image pixels to device pixels of a canvas that covers the view. */
export function transformOf(view: ViewState, ratio: number): Transform {
  return { scale: view.zoom * ratio, x: view.x * ratio, y: view.y * ratio };
}

function paintSelected(
  context: CanvasRenderingContext2D,
  shape: ActiveShape,
  { view, opacity: opacityOfFills, ratio }: SelectedLook,
): void {
  const { rings, color } = shape;
  const opacity = fillOf(shape, opacityOfFills);
  context.lineJoin = "round";
  const rule = traceRings(context, rings, transformOf(view, ratio));
  const lines = highlightLines({ rings, color }, opacity);
  for (const [i, line] of lines.entries()) {
    if (i === lines.length - 1) fillWith(context, { rule, color, opacity });
    context.strokeStyle = line.color;
    context.lineWidth = line.width * ratio;
    context.stroke();
  }
}

function fillWith(
  context: CanvasRenderingContext2D,
  { rule, color, opacity }: { rule: CanvasFillRule; color: string; opacity: number },
): void {
  context.globalAlpha = opacity;
  context.fillStyle = color;
  context.fill(rule);
  context.globalAlpha = 1;
}

function same(a: SelectedLook, b: SelectedLook): boolean {
  return (
    a.shape?.rings === b.shape?.rings &&
    a.shape?.color === b.shape?.color &&
    a.shape?.vertices === b.shape?.vertices &&
    a.opacity === b.opacity &&
    a.ratio === b.ratio &&
    sameView(a.view, b.view)
  );
}
