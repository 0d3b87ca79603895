import type { Brush } from "../shapes/paint";
import type { Point, Size, ViewState } from "../view/view";
import { addSheet, clearSheet, type Sheet } from "./sheet";

/**
 * The marked shapes on a canvas of their own while they are moved. CSS moves the canvas, so that thousands of shapes
 * follow the pointer.
 */
export class LiftedShapes {
  private readonly sheet: Sheet;
  /** Distance by which the shapes are moved, in image pixels. */
  private by: Point = { x: 0, y: 0 };

  constructor(parent: HTMLElement) {
    this.sheet = addSheet(parent);
    this.drop();
  }

  move(by: Point): void {
    this.by = by;
  }

  /** Clears the canvas and sets its size, in device pixels. Returns the context to paint with. */
  prepare(view: ViewState, brush: Brush, { width, height }: Size): CanvasRenderingContext2D {
    clearSheet(this.sheet, width, height, brush.ratio);
    this.sheet.context.lineJoin = "round";
    this.sheet.view = view;
    this.sheet.canvas.style.visibility = "visible";
    return this.sheet.context;
  }

  /** Hides the canvas, because the scene shows the shapes again. */
  drop(): void {
    this.sheet.view = null;
    this.sheet.canvas.style.visibility = "hidden";
  }

  /** Places the canvas in a view. `margin`: width of the painted strip around the visible area, in CSS pixels. */
  place(view: ViewState, margin: number): void {
    const painted = this.sheet.view;
    if (!painted) return;
    const scale = view.zoom / painted.zoom;
    const left = view.x - (painted.x + margin) * scale + this.by.x * view.zoom;
    const top = view.y - (painted.y + margin) * scale + this.by.y * view.zoom;
    this.sheet.canvas.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
  }
}
