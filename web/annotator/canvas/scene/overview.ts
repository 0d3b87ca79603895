import { type Brush, HAIRLINE } from "../shapes/paint";
import type { Box, Shape } from "../shapes/shapes";
import type { ViewState } from "../view/view";
import { addSheet, clearSheet, paintBox, type Sheet } from "./sheet";

/** Longest side of the canvas, in pixels. */
const SIDE = 2048;

/** Size of the bitmap in pixels, and the brush to paint it with. */
interface Plan {
  width: number;
  height: number;
  brush: Brush;
}

/**
 * All shapes at a moderate resolution, beneath the sharp sheet. While the view moves, it shows shapes outside the sharp
 * sheet at once, though less sharply.
 */
export class Overview {
  private readonly sheet: Sheet;

  constructor(parent: HTMLElement) {
    this.sheet = addSheet(parent);
    this.hide();
  }

  get isPainted(): boolean {
    return this.sheet.brush !== null;
  }

  /** Returns the plan for painting the shapes in a box. The box is in image pixels. */
  plan({ minX, minY, maxX, maxY }: Box, opacity: number): Plan {
    const scale = Math.min(SIDE / Math.max(maxX - minX, maxY - minY, 1), 2);
    const width = Math.max(Math.ceil((maxX - minX) * scale), 1);
    const height = Math.max(Math.ceil((maxY - minY) * scale), 1);
    const to = { scale, x: -minX * scale, y: -minY * scale };
    return { width, height, brush: { to, ratio: 1, opacity, line: HAIRLINE } };
  }

  showBitmap(bitmap: CanvasImageSource, { width, height, brush }: Plan): void {
    clearSheet(this.sheet, width, height, 1);
    this.sheet.context.drawImage(bitmap, 0, 0);
    this.sheet.brush = brush;
  }

  /** Discards the bitmap, because it is out of date. */
  drop(): void {
    this.sheet.brush = null;
    this.hide();
  }

  paintBox(box: Box, shapes: readonly Shape[]): void {
    paintBox(this.sheet, box, shapes);
  }

  /** Places the overview in the view, except in `covered` (image pixels), where the sharp sheet is. */
  place({ zoom, x, y }: ViewState, covered: Box): void {
    const { brush } = this.sheet;
    if (!brush) return;
    const { scale, x: left, y: top } = brush.to;
    const { style, width, height } = this.sheet.canvas;
    style.visibility = "visible";
    style.transform = `translate(${x - (left * zoom) / scale}px, ${y - (top * zoom) / scale}px) scale(${zoom / scale})`;
    const right = Math.min(covered.maxX * scale + left, width);
    const bottom = Math.min(covered.maxY * scale + top, height);
    const hole = `M${Math.max(covered.minX * scale + left, 0)} ${Math.max(covered.minY * scale + top, 0)}V${bottom}H${right}V${Math.max(covered.minY * scale + top, 0)}Z`;
    style.clipPath = `path(evenodd, "M0 0H${width}V${height}H0Z${hole}")`;
  }

  hide(): void {
    this.sheet.canvas.style.visibility = "hidden";
  }
}
