import type { Size, ViewState } from "../view/view";
import { clearCanvas } from "./clearCanvas";

/** Zoom from which the grid is shown: below, it would hide the image. */
const FROM_ZOOM = 8;
/** A light line beside a dark one is visible on any image. */
const LIGHT = "rgb(255 255 255 / 30%)";
const DARK = "rgb(0 0 0 / 30%)";

/** Lines between the image's pixels at high zoom. */
export class PixelGrid {
  private readonly canvas = document.createElement("canvas");
  private isOn = false;
  private size: Size = { width: 0, height: 0 };
  private ratio = 1;
  /** View that the canvas was painted for; null if it is empty. */
  private painted: ViewState | null = null;

  constructor(
    parent: HTMLElement,
    /** Size in image pixels. */
    private readonly image: Size,
  ) {
    this.canvas.className = "annotator-grid";
    this.canvas.hidden = true;
    parent.append(this.canvas);
  }

  show(isOn: boolean): void {
    this.isOn = isOn;
    this.painted = null;
  }

  resize(size: Size, ratio: number): void {
    this.size = size;
    this.ratio = ratio;
    this.painted = null;
  }

  place(view: ViewState): void {
    const isShown = this.isOn && view.zoom >= FROM_ZOOM;
    this.canvas.hidden = !isShown;
    if (!isShown) this.painted = null;
    else if (this.painted !== view) this.paint(view);
  }

  private paint(view: ViewState): void {
    const { canvas, ratio, size } = this;
    this.painted = view;
    const context = clearCanvas(canvas, size, ratio);
    if (!context) return;
    const xs = linesOf({ start: view.x, step: view.zoom, count: this.image.width, end: size.width });
    const ys = linesOf({ start: view.y, step: view.zoom, count: this.image.height, end: size.height });
    const [left, right] = [view.x * ratio, (view.x + this.image.width * view.zoom) * ratio];
    const [top, bottom] = [view.y * ratio, (view.y + this.image.height * view.zoom) * ratio];
    const line = Math.max(Math.round(ratio), 1);
    for (const [color, offset] of [
      [DARK, -line],
      [LIGHT, 0],
    ] as const) {
      context.fillStyle = color;
      for (const x of xs) context.fillRect(Math.round(x * ratio) + offset, top, line, bottom - top);
      for (const y of ys) context.fillRect(left, Math.round(y * ratio) + offset, right - left, line);
    }
  }
}

interface Lines {
  start: number;
  step: number;
  /** Number of pixels of the image in this direction. */
  count: number;
  end: number;
}

/** Returns the positions on the canvas of the lines between image pixels, in CSS pixels, from 0 to `end`. */
function linesOf({ start, step, count, end }: Lines): number[] {
  const first = Math.max(Math.ceil(-start / step), 0);
  const last = Math.min(Math.floor((end - start) / step), count);
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, i) => start + (first + i) * step);
}
