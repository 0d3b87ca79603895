import { CASING, LINE, type Transform, traceRings } from "../shapes/paint";
import { sameView, type ViewState } from "../view/view";
import { type Hand, SIZE } from "./active";

/** Position and look of the shape in hand on a canvas. */
export interface HandLook {
  hand: Hand | null;
  view: ViewState;
  /** Of the fill, 0 to 1. */
  opacity: number;
  /** Device pixels per CSS pixel. */
  ratio: number;
}

/** The shape in hand as it rests, on a canvas that is never shown: painted once, to be laid below what is added to it. */
export class HandBitmap {
  private readonly canvas = document.createElement("canvas");
  private painted: HandLook | null = null;

  /** The bitmap, of the size of `like`. */
  of(look: HandLook, like: HTMLCanvasElement): HTMLCanvasElement {
    const { canvas } = this;
    const fits = canvas.width === like.width && canvas.height === like.height;
    if (fits && this.painted && same(this.painted, look)) return canvas;
    canvas.width = like.width;
    canvas.height = like.height;
    this.painted = look;
    const context = canvas.getContext("2d");
    if (context && look.hand) paintHand(context, look.hand, look);
    return canvas;
  }
}

/** From image pixels to those of a canvas as large as the screen's part. */
export function transformOf(view: ViewState, ratio: number): Transform {
  return { scale: view.zoom * ratio, x: view.x * ratio, y: view.y * ratio };
}

function paintHand(
  context: CanvasRenderingContext2D,
  { rings, color }: Hand,
  { view, opacity, ratio }: HandLook,
): void {
  context.lineJoin = "round";
  const rule = traceRings(context, rings, transformOf(view, ratio));
  context.strokeStyle = CASING;
  context.lineWidth = SIZE.casing * ratio;
  context.stroke();
  context.globalAlpha = opacity;
  context.fillStyle = color;
  context.fill(rule);
  context.globalAlpha = 1;
  context.strokeStyle = LINE;
  context.lineWidth = SIZE.line * ratio;
  context.stroke();
}

function same(a: HandLook, b: HandLook): boolean {
  return (
    a.hand?.rings === b.hand?.rings &&
    a.hand?.color === b.hand?.color &&
    a.opacity === b.opacity &&
    a.ratio === b.ratio &&
    sameView(a.view, b.view)
  );
}
