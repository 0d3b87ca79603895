import { SHAPE_OPACITY } from "../../../../shared/constants";
import type { Rings } from "../../../../shared/entities/shape";
import type { Stroke } from "../../../../shared/geometry/stroke";
import { CASING, LINE, traceRings } from "../shapes/paint";
import type { Transform } from "../shapes/trace";
import { type Size, sameView, type ViewState } from "../view/view";
import type { ActiveShape } from "./activeLayer";
import { SelectedBitmap, transformOf } from "./selectedBitmap";
import { traceStroke } from "./traceStroke";

/** Area that a gesture adds to the selected annotation or subtracts from it, in image pixels. */
export type Piece = { operation: "unite" | "subtract" } & ({ stroke: Stroke } | { rings: Rings });

/** A finished piece that is shown until it is in the document. */
export interface ShownPiece {
  /** Shows the piece in another form; null hides it. */
  replace(piece: Piece | null): void;
  drop(): void;
}

/**
 * Shows the selected shape together with pieces that are being drawn or computed. While there are any, this canvas
 * replaces paper.js. A growing stroke costs only its new part: the part is cleared first, and filled again if the
 * stroke unites, so that no pixel is filled twice.
 */
export class PaintingLayer {
  private readonly canvas = document.createElement("canvas");
  private readonly context: CanvasRenderingContext2D;
  private readonly selectedBitmap = new SelectedBitmap();
  /** Finished pieces that are not in the document yet, oldest first. */
  private readonly waiting = new Map<symbol, Piece>();
  private unfinished: Piece | null = null;
  /** Incremented with each newly selected annotation, so that pieces of an earlier one are no longer shown. */
  private selections = 0;
  private color = "#ffffff";
  private opacity: number = SHAPE_OPACITY;
  private ratio = 1;
  /** Number of coordinates of each stroke that are on the canvas; 1 for rings. */
  private readonly painted = new Map<Stroke | Rings, number>();
  /** State for which the canvas was painted; null if it must be painted again. */
  private base: { view: ViewState; shape: ActiveShape | null } | null = null;

  constructor(
    parent: HTMLElement,
    /** Size of the image in image pixels. Strokes are clipped to it. */
    private readonly image: Size,
  ) {
    this.canvas.className = "annotator-layer";
    this.canvas.style.visibility = "hidden";
    parent.append(this.canvas);
    const context = this.canvas.getContext("2d");
    if (!context) throw new Error("This browser cannot paint on a canvas.");
    this.context = context;
  }

  /** True if this layer shows the selected shape instead of the active layer. */
  get isActive(): boolean {
    return this.unfinished !== null || this.waiting.size > 0;
  }

  resize({ width, height }: Size, ratio: number): void {
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.base = null;
  }

  /** Shows the piece that is being drawn instead of the previous one. A stroke's path may grow between calls. */
  show(piece: Piece | null, color: string): void {
    if (this.unfinished && this.unfinished !== piece) this.base = null;
    this.unfinished = piece;
    this.setColor(color);
  }

  /**
   * Shows a finished piece until `drop` is called on the result, which must happen when the piece is in the document.
   */
  showPending(piece: Piece | null, color: string): ShownPiece {
    const key = Symbol();
    const { selections } = this;
    const replace = (next: Piece | null) => {
      if (selections !== this.selections || next === (this.waiting.get(key) ?? null)) return;
      if (next) this.waiting.set(key, next);
      else this.waiting.delete(key);
      this.base = null;
    };
    if (piece !== null && this.unfinished === piece) this.waiting.set(key, piece);
    else replace(piece);
    this.unfinished = null;
    this.setColor(color);
    return { replace, drop: () => replace(null) };
  }

  /** Drops all pieces, because another annotation was selected. */
  clear(): void {
    this.selections++;
    this.waiting.clear();
    this.unfinished = null;
    this.base = null;
  }

  /** Sets the opacity of fills, 0 to 1. */
  showOpacity(opacity: number): void {
    this.opacity = opacity;
    this.base = null;
  }

  /** Paints what has changed. Must be called in every frame in which something may have changed. */
  frame(view: ViewState, shape: ActiveShape | null): void {
    this.canvas.style.visibility = this.isActive ? "visible" : "hidden";
    if (!this.isActive) return;
    const { base } = this;
    if (!base || base.shape !== shape || !sameView(base.view, view)) this.begin(view, shape);
    const to = transformOf(view, this.ratio);
    for (const piece of this.waiting.values()) this.paint(piece, to);
    if (this.unfinished) this.paint(this.unfinished, to);
  }

  private setColor(color: string): void {
    if (color !== this.color) this.base = null;
    this.color = color;
  }

  private begin(view: ViewState, shape: ActiveShape | null): void {
    const { context, canvas, ratio, opacity } = this;
    this.base = { view, shape };
    this.painted.clear();
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (shape) context.drawImage(this.selectedBitmap.of({ shape, view, opacity, ratio }, canvas), 0, 0);
    context.lineJoin = "round";
    context.lineCap = "round";
  }

  /** Paints the part of a piece that is not on the canvas yet. */
  private paint(piece: Piece, to: Transform): void {
    if ("stroke" in piece) this.paintStroke(piece.operation, piece.stroke, to);
    else if (!this.painted.has(piece.rings)) {
      this.painted.set(piece.rings, 1);
      const rule = traceRings(this.context, piece.rings, to);
      this.cover(piece.operation, () => this.context.fill(rule));
      this.hairline(piece.rings, to);
    }
  }

  private paintStroke(operation: Piece["operation"], stroke: Stroke, to: Transform): void {
    const { context } = this;
    const from = this.painted.get(stroke) ?? 0;
    if (from === stroke.path.length) return;
    this.painted.set(stroke, stroke.path.length);
    const isFilled = traceStroke(context, stroke, to, from);
    context.save();
    if (operation === "unite") context.clip(this.imageAt(to));
    this.cover(operation, () => (isFilled ? context.fill() : context.stroke()));
    context.restore();
  }

  private imageAt({ scale, x, y }: Transform): Path2D {
    const path = new Path2D();
    path.rect(x, y, this.image.width * scale, this.image.height * scale);
    return path;
  }

  /** Clears an area, then fills it if the piece unites. Antialiased edge pixels gain exactly as much as was cleared. */
  private cover(operation: Piece["operation"], draw: () => void): void {
    const { context } = this;
    context.fillStyle = this.color;
    context.strokeStyle = this.color;
    context.globalCompositeOperation = "destination-out";
    draw();
    if (operation === "unite") {
      context.globalCompositeOperation = "lighter";
      context.globalAlpha = this.opacity;
      draw();
      context.globalAlpha = 1;
    }
    context.globalCompositeOperation = "source-over";
  }

  /**
   * Paints a line of one device pixel, which browsers paint many times faster than wider ones, with a dark one beside
   * it.
   */
  private hairline(piece: Rings, to: Transform): void {
    const { context } = this;
    context.lineWidth = 1;
    for (const [color, offset] of [
      [CASING, 1],
      [LINE, 0],
    ] as const) {
      traceRings(context, piece, { ...to, x: to.x + offset, y: to.y + offset });
      context.strokeStyle = color;
      context.stroke();
    }
  }
}
