import { SHAPE_OPACITY } from "../../../../shared/constants";
import type { Rings } from "../../../../shared/entities/shape";
import type { Stroke } from "../../../../shared/geometry/stroke";
import { CASING, LINE, type Transform, traceRings } from "../shapes/paint";
import { type Size, sameView, type ViewState } from "../view/view";
import type { Hand } from "./active";
import { HandBitmap, transformOf } from "./handBitmap";

/** Area that a gesture adds to the annotation in hand or takes from it, in image pixels. */
export type Piece = { operation: "unite" | "subtract" } & ({ stroke: Stroke } | { rings: Rings });

/** A finished piece that is still shown. */
export interface KeptPiece {
  /** Shows it in another form; null shows nothing. */
  become(piece: Piece | null): void;
  drop(): void;
}

const TURN = 2 * Math.PI;

/**
 * The shape in hand as it will be, with pieces that are being drawn or computed: while there are any, this canvas shows
 * it in place of paper.js. A stroke that grows costs only what has been added: it clears its way, and a uniting one then
 * adds the fill, so that nothing is filled twice.
 */
export class PaintingLayer {
  private readonly canvas = document.createElement("canvas");
  private readonly context: CanvasRenderingContext2D;
  private readonly resting = new HandBitmap();
  /** Finished and on their way into the document, oldest first. */
  private readonly waiting = new Map<symbol, Piece>();
  private unfinished: Piece | null = null;
  /** Rises with each annotation that comes in hand: pieces of another are shown no more. */
  private hands = 0;
  private color = "#ffffff";
  private opacity: number = SHAPE_OPACITY;
  private ratio = 1;
  /** Number of coordinates of each stroke that are on the canvas; rings are there or not. */
  private readonly painted = new Map<Stroke | Rings, number>();
  /** State for which the canvas was painted; null if it must be painted again. */
  private base: { view: ViewState; hand: Hand | null } | null = null;

  constructor(
    parent: HTMLElement,
    /** Of the image, in image pixels: nothing is added outside it. */
    private readonly image: Size,
  ) {
    this.canvas.className = "annotator-layer";
    this.canvas.style.visibility = "hidden";
    parent.append(this.canvas);
    const context = this.canvas.getContext("2d");
    if (!context) throw new Error("This browser cannot paint on a canvas.");
    this.context = context;
  }

  /** True if the shape in hand is shown here and nowhere else. */
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

  /** The piece that is being drawn, in place of the one before; the path of a stroke may grow between calls. */
  show(piece: Piece | null, color: string): void {
    if (this.unfinished && this.unfinished !== piece) this.base = null;
    this.unfinished = piece;
    this.setColor(color);
  }

  /** Keeps a finished piece, in its present form, until it is in the document. */
  keep(piece: Piece | null, color: string): KeptPiece {
    const key = Symbol();
    const { hands } = this;
    const become = (next: Piece | null) => {
      if (hands !== this.hands || next === (this.waiting.get(key) ?? null)) return;
      if (next) this.waiting.set(key, next);
      else this.waiting.delete(key);
      this.base = null;
    };
    if (piece !== null && this.unfinished === piece) this.waiting.set(key, piece);
    else become(piece);
    this.unfinished = null;
    this.setColor(color);
    return { become, drop: () => become(null) };
  }

  /** Another annotation is in hand: these pieces are none of its. */
  clear(): void {
    this.hands++;
    this.waiting.clear();
    this.unfinished = null;
    this.base = null;
  }

  /** Opacity of fills, 0 to 1. */
  showOpacity(opacity: number): void {
    this.opacity = opacity;
    this.base = null;
  }

  /** To be called in every frame in which something may have changed. */
  frame(view: ViewState, hand: Hand | null): void {
    this.canvas.style.visibility = this.isActive ? "visible" : "hidden";
    if (!this.isActive) return;
    const { base } = this;
    if (!base || base.hand !== hand || !sameView(base.view, view)) this.begin(view, hand);
    const to = transformOf(view, this.ratio);
    for (const piece of this.waiting.values()) this.paint(piece, to);
    if (this.unfinished) this.paint(this.unfinished, to);
  }

  private setColor(color: string): void {
    if (color !== this.color) this.base = null;
    this.color = color;
  }

  private begin(view: ViewState, hand: Hand | null): void {
    const { context, canvas, ratio, opacity } = this;
    this.base = { view, hand };
    this.painted.clear();
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (hand) context.drawImage(this.resting.of({ hand, view, opacity, ratio }, canvas), 0, 0);
    context.lineJoin = "round";
    context.lineCap = "round";
  }

  /** Returns the part of the piece that is not on the canvas yet. */
  private paint(piece: Piece, to: Transform): void {
    if ("stroke" in piece) this.paintStroke(piece.operation, piece.stroke, to);
    else if (!this.painted.has(piece.rings)) {
      this.painted.set(piece.rings, 1);
      const rule = traceRings(this.context, piece.rings, to);
      this.cover(piece.operation, () => this.context.fill(rule));
      this.hairline(piece.rings, to);
    }
  }

  private paintStroke(operation: Piece["operation"], stroke: Stroke, { scale, x, y }: Transform): void {
    const { context } = this;
    const { path, radius } = stroke;
    const from = this.painted.get(stroke) ?? 0;
    if (from === path.length) return;
    this.painted.set(stroke, path.length);
    const places = path.slice(Math.max(from - 2, 0)).map((value, i) => value * scale + (i % 2 === 0 ? x : y));
    const [startX = 0, startY = 0] = places;
    context.beginPath();
    if (places.length === 2) context.arc(startX, startY, radius * scale, 0, TURN);
    for (let i = 0; i + 1 < places.length; i += 2) context.lineTo(places[i]!, places[i + 1]!);
    context.lineWidth = 2 * radius * scale;
    context.save();
    if (operation === "unite") context.clip(this.imageAt({ scale, x, y }));
    this.cover(operation, () => (places.length === 2 ? context.fill() : context.stroke()));
    context.restore();
  }

  private imageAt({ scale, x, y }: Transform): Path2D {
    const path = new Path2D();
    path.rect(x, y, this.image.width * scale, this.image.height * scale);
    return path;
  }

  /** Clears an area, then fills it: each pixel of its soft edge gets exactly as much as was taken from it. */
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

  /** One device pixel wide, which browsers paint many times faster, with a dark one beside it. */
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
